#include "logs/text/colours.h"

#include <string_view>

namespace trainmark {

namespace {

bool between(char letter, char first, char last) {
  return letter >= first && letter <= last;
}

/// How long the sequence at the front of the text is, which begins with an escape.
std::size_t sequence_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  std::size_t at = 2;
  if (text[1] == '[') {  // parameters, then one letter: ESC [ 1 ; 32 m
    while (at < text.size() && between(text[at], 0x20, 0x3F)) ++at;
    return at < text.size() && between(text[at], 0x40, 0x7E) ? at + 1 : at;
  }
  if (text[1] == ']') {  // a title: ESC ] 0 ; text BEL, or ended by ESC backslash
    while (at < text.size() && text[at] != '\a' && text[at] != escape) ++at;
    if (at < text.size() && text[at] == escape) ++at;
    return at < text.size() ? at + 1 : at;
  }
  while (at - 1 < text.size() && between(text[at - 1], 0x20, 0x2F)) ++at;  // ESC ( B
  return at < text.size() ? at : text.size();
}

}  // namespace

std::size_t strip_colours(char* line, std::size_t size) {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < size;) {
    if (line[at] == escape) {
      at += sequence_length({line + at, size - at});
    } else {
      line[kept++] = line[at++];
    }
  }
  return kept;
}

}  // namespace trainmark
