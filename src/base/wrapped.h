#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trainmark {

/// The text broken at blanks, or between wide characters, into lines of at most `width` columns.
/// All but the first begin with `indent` blanks; the first has `used` columns taken already. A word
/// that is longer than a line stays whole. A width of 0: as it is.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t used = 0);

}  // namespace trainmark
