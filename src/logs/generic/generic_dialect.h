#pragma once

#include <string>

#include "logs/generic/scheme.h"
#include "logs/grammar/dialect.h"

namespace trainmark {

/// The name under which logs are read that no dialect knows.
constexpr const char* generic_name = "generic";

/// A dialect made from what was learned. `batch_given`: the user says how many items per step, so
/// that steps need not be counted themselves.
Dialect generic_dialect(const LogScheme& scheme, bool batch_given);

/// Every line that holds a text is one step; how long it took, the moments of the lines tell.
Dialect marker_dialect(const std::string& marker);

}  // namespace trainmark
