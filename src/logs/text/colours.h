#pragma once

#include <cstddef>

namespace trainmark {

constexpr char escape = '\x1b';

/// Takes what only a terminal understands (colours, moves of the cursor, titles of windows: ANSI's
/// escape sequences) out of a line, in place: it stands in the middle of what dialects look for.
/// The size of what is left.
std::size_t strip_colours(char* line, std::size_t size);

}  // namespace trainmark
