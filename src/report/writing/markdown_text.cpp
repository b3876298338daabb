#include "report/writing/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace trainmark {

namespace {

bool is_word(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9');
}

/// An underscore inside a word is no markup, and names are full of them.
bool inside_word(std::string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() && is_word(text[at - 1]) && is_word(text[at + 1]);
}

/// What a line begins with may make it a heading or an entry of a list.
bool begins_block(std::string_view text) {
  if (text.starts_with('#')) return true;
  return text.size() > 1 && (text[0] == '-' || text[0] == '+') && text[1] == ' ';
}

std::size_t longest_run(std::string_view text, char letter) {
  std::size_t longest = 0, run = 0;
  for (const char other : text) {
    run = other == letter ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string markdown_text(std::string_view text, std::size_t limit) {
  std::string spaced(text.substr(0, limit * 2));
  std::replace(spaced.begin(), spaced.end(), '\n', ' ');
  const std::string safe = printable(spaced, limit);
  std::string result = begins_block(safe) ? "\\" : "";
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const char letter = safe[i];
    switch (letter) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '_':
        result += inside_word(safe, i) ? "_" : "\\_";
        break;
      case '|':
      case '`':
      case '\\':
      case '*':
      case '[':
      case ']':
      case '~':
        result += '\\';
        [[fallthrough]];
      default:
        result += letter;
    }
  }
  return result;
}

std::string markdown_code(std::string_view text) {
  const std::string safe = printable(text);
  if (safe.empty() || safe.find_first_of("`|") != std::string::npos) return markdown_text(safe);
  return "`" + safe + "`";
}

std::string markdown_block(std::string_view text, std::string_view language) {
  const std::string fence(std::max<std::size_t>(3, longest_run(text, '`') + 1), '`');
  std::string body = safe_text(text, "\n\t");
  if (!body.ends_with('\n')) body += '\n';
  return fmt::format("{}{}\n{}{}\n", fence, language, body, fence);
}

std::string markdown_link(std::string_view words, std::string_view path) {
  // Everything but plain letters is encoded, a colon too: a path is never taken for an address.
  std::string target = "./";
  for (const char letter : path) {
    const bool plain =
        is_word(letter) || letter == '/' || letter == '.' || letter == '-' || letter == '_';
    if (plain)
      target += letter;
    else
      target += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return fmt::format("[{}]({})", markdown_text(words), target);
}

std::string markdown_image(std::string_view words, std::string_view path) {
  return "!" + markdown_link(words, path);
}

std::string markdown_anchor(std::string_view heading) {
  std::string anchor;
  for (std::size_t i = 0; i < heading.size(); ++i) {
    // Marks such as the ideographic comma and full-width brackets are left out by viewers.
    const std::string_view mark = heading.substr(i, 3);
    if (mark == "、" || mark == "，" || mark == "：" || mark == "（" || mark == "）") {
      i += 2;
      continue;
    }
    const char letter = heading[i];
    if (letter == ' ')
      anchor += '-';
    else if (letter >= 'A' && letter <= 'Z')
      anchor += static_cast<char>(letter + 32);
    else if (is_word(letter) || letter == '-' || letter == '_' ||
             static_cast<unsigned char>(letter) >= 0x80)
      anchor += letter;
  }
  return "#" + anchor;
}

}  // namespace trainmark
