#pragma once

#include <string>

#include "logs/grammar/dialect.h"

namespace trainmark {

/// A dialect described by a regular expression (RE2's syntax) with named groups: step, epoch, rate
/// (items per second), time (seconds of a step), items (of a step), loss, rank. Rate and time may
/// name another unit: `(?P<time:ms>…)`. UserError where the expression cannot be read, names
/// another group or an unknown unit, or has neither rate nor time.
Dialect pattern_dialect(const std::string& expression, Scope scope);

/// "rank", "node" or "job"; UserError for anything else.
Scope parse_scope(const std::string& name);

}  // namespace trainmark
