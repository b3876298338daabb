#include "base/terminal.h"

#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <utility>

namespace trainmark {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 19> likenesses = {{
    {"±", "+-"}, {"…", "..."}, {"×", "x"},  {"÷", "/"},  {"·", "-"}, {"–", "-"}, {"—", "--"},
    {"−", "-"},  {"→", "->"},  {"≤", "<="}, {"≥", ">="}, {"≈", "~"}, {"µ", "u"}, {"σ", "sigma"},
    {"“", "\""}, {"”", "\""},  {"’", "'"},  {"─", "-"},  {"█", "#"},
}};

std::string_view variable_text(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// As the C library reads it: in any case, with or without the dash.
bool names_utf8(std::string_view locale) {
  std::string plain;
  for (const char letter : locale)
    if (letter != '-') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return plain.find("utf8") != plain.npos;
}

}  // namespace

bool can_redraw(int stream) {
  const std::string_view kind = variable_text("TERM");
  return !kind.empty() && kind != "dumb" && ::isatty(stream) != 0;
}

bool shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view charset = variable_text(name);
    if (charset.empty()) continue;
    return names_utf8(charset);
  }
  return false;
}

std::string plain_letters(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::string_view taken = text.substr(0, 1);
    std::string_view written = taken;
    if (static_cast<unsigned char>(text.front()) >= 0x80) {
      for (const auto& [mark, likeness] : likenesses) {
        if (!text.starts_with(mark)) continue;
        taken = mark;
        written = likeness;
        break;
      }
    }
    result += written;
    text.remove_prefix(taken.size());
  }
  return result;
}

void write_beside(std::string_view text) noexcept {
  try {
    const std::string shown = shown_on(STDERR_FILENO, text);
    if (::write(STDERR_FILENO, shown.data(), shown.size()) < 0) return;
  } catch (const std::exception&) {  // no memory left
    return;
  }
}

std::string shown_on(int stream, std::string_view text) {
  return ::isatty(stream) != 0 && !shows_unicode() ? plain_letters(text) : std::string(text);
}

}  // namespace trainmark
