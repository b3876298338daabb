#pragma once

#include <optional>

#include "logs/generic/line_class.h"
#include "logs/generic/scheme.h"

namespace trainmark {

/// What lines of this kind mean, if they tell of a speed: which field is the rate, which a time,
/// and what kind of time. Of all meanings that are possible, the one that fits counter and time
/// stamps best.
std::optional<LogScheme> interpret(const LineClass& kind);

}  // namespace trainmark
