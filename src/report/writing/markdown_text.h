#pragma once

#include <string>
#include <string_view>

namespace trainmark {

/// Any text as words of a Markdown page: nothing in it is taken for markup, and it stays in its
/// line and its table cell.
std::string markdown_text(std::string_view text, std::size_t limit = 400);

/// In `code` style where the text allows it, else as plain words.
std::string markdown_code(std::string_view text);

/// A block of code: lines are kept, and no line of it can end the block.
std::string markdown_block(std::string_view text, std::string_view language = "");

/// [words](path), the path always relative to the page.
std::string markdown_link(std::string_view words, std::string_view path);

/// ![words](path).
std::string markdown_image(std::string_view words, std::string_view path);

/// Where a heading can be jumped to, as common viewers name it.
std::string markdown_anchor(std::string_view heading);

}  // namespace trainmark
