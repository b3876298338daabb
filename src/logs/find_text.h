#pragma once

#include <cstddef>
#include <string_view>

namespace trainmark {

/// Where `key` is found in `text` at or behind `from`; npos where it is not. Reading logs is mostly
/// this: it looks at 16 places at once where the processor can.
std::size_t find_text(std::string_view text, std::string_view key, std::size_t from = 0);

}  // namespace trainmark
