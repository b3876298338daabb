#pragma once

#include "base/secrets.h"
#include "suite/suite.h"

namespace trainmark {

/// The suite's file as it may be kept with results: without the secrets of its commands and
/// variables, which are remembered for what is written later.
std::string text_without_secrets(const Suite& suite, Secrets& secrets);

}  // namespace trainmark
