#pragma once

#include <optional>

#include "logs/contents.h"
#include "logs/figure.h"
#include "logs/generic/scheme.h"
#include "logs/grammar/dialect.h"
#include "logs/text/line_reader.h"

namespace trainmark {

/// Is it the name that switches all dialects off?
bool is_generic(const std::string& dialect);

/// Learns from a log how to read it, where no dialect does; nothing where none of its lines tells
/// of a speed.
std::optional<Dialect> learned_dialect(LineReader& lines, const GivenFacts& given);

/// Whose rates a learned dialect reads: one rank's, where rate × time of a step is the batch of one
/// device and the log says that there are several.
Scope learned_scope(const Dialect& dialect, const LogContents& contents, const GivenFacts& given);

}  // namespace trainmark
