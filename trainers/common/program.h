#pragma once

#include <functional>

#include "common/events.h"

namespace trainmark::train {

/// Runs the body of a trainer's main and turns whatever it throws into the message, the `failure`
/// event and the exit code that the protocol asks for.
int run_program(const char* name, const std::function<int(EventWriter&)>& body);

}  // namespace trainmark::train
