#pragma once

#include <memory>
#include <string_view>

#include "logs/text/line_reader.h"

namespace trainmark {

/// Does a text begin with UTF-16's byte-order mark, as what PowerShell's `>` writes?
bool is_utf16(std::string_view front);

/// The same text in UTF-8. `source` begins with the byte-order mark.
std::unique_ptr<ByteSource> utf8_of_utf16(std::unique_ptr<ByteSource> source);

}  // namespace trainmark
