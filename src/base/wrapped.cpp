#include "base/wrapped.h"

#include <algorithm>

#include "base/text.h"

namespace trainmark {

namespace {

constexpr std::size_t least_room = 20;  // columns; in a narrower terminal, lines stay whole

std::size_t bytes_of_letter(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) ++bytes;
  return bytes;
}

/// Marks that no line begins with.
bool closes(std::string_view letter) {
  constexpr std::string_view marks[] = {"，", "。", "：", "；", "）", "、", "？", "”"};
  return std::find(std::begin(marks), std::end(marks), letter) != std::end(marks);
}

/// How many bytes must stay together: a word, or a wide character with the marks that close it. A
/// per cent sign stays with its figure.
std::size_t piece_at(std::string_view text) {
  std::size_t end = bytes_of_letter(text);
  const bool wide = display_width(text.substr(0, end)) > 1;
  while (end < text.size()) {
    if (text.substr(end).starts_with(" %")) end += 2;
    if (end == text.size() || text[end] == ' ') break;
    const std::string_view letter = text.substr(end, bytes_of_letter(text.substr(end)));
    if (!closes(letter) && (wide || display_width(letter) > 1)) break;
    end += letter.size();
  }
  return end;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t used) {
  if (width < indent + least_room) return std::string(text);
  std::string result;
  std::size_t column = used;
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(blanks);
    if (text.empty()) break;
    const std::string_view piece = text.substr(0, piece_at(text));
    const std::size_t room = display_width(piece);
    if (column + blanks + room > width && column > indent) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else {
      result.append(blanks, ' ');
      column += blanks;
    }
    result += piece;
    column += room;
    text.remove_prefix(piece.size());
  }
  return result;
}

}  // namespace trainmark
