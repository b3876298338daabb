#pragma once

#include <string>
#include <vector>

#include "logs/generic/scheme.h"

namespace trainmark {

/// Two sentences: what was found, and what was assumed, with a --pattern that corrects it.
std::vector<std::string> scheme_words(const LogScheme& scheme, bool batch_given);

/// An expression for --pattern that reads such lines; empty where patterns cannot say it: sums and
/// means since the start, and moments of lines.
std::string scheme_pattern(const LogScheme& scheme);

/// An expression for a line whose numbers nobody understands yet, to be filled in by its author.
std::string pattern_for_line(const std::string& line);

/// A text that these lines have in common, for --marker: their first word, else the last one's.
std::string marker_for_lines(const std::vector<std::string>& lines);

}  // namespace trainmark
