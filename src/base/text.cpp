#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace trainmark {

namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
};

/// The code point at the front of a text that is not empty; nothing where the UTF-8 is broken
/// (cut short, overlong, a surrogate, beyond U+10FFFF).
std::optional<CodePoint> decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return CodePoint{lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return std::nullopt;
  char32_t value = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return std::nullopt;
    value = value << 6 | (next & 0x3F);
  }
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  if (value < smallest[bytes] || value > 0x10FFFF) return std::nullopt;
  if (value >= 0xD800 && value <= 0xDFFF) return std::nullopt;
  return CodePoint{value, bytes};
}

struct Range {
  char32_t first, last;
};

template <std::size_t size>
bool within(char32_t value, const std::array<Range, size>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](Range range) { return value >= range.first && value <= range.last; });
}

// Controls, and the marks that reverse or hide text on a terminal.
constexpr std::array<Range, 6> unsafe = {{{0x00, 0x1F},
                                          {0x7F, 0x9F},
                                          {0x200E, 0x200F},
                                          {0x2028, 0x202E},
                                          {0x2066, 0x2069},
                                          {0xFFF9, 0xFFFB}}};
constexpr std::array<Range, 7> zero_width = {{{0x0300, 0x036F},
                                              {0x1AB0, 0x1AFF},
                                              {0x1DC0, 0x1DFF},
                                              {0x200B, 0x200F},
                                              {0x20D0, 0x20FF},
                                              {0xFE00, 0xFE0F},
                                              {0xFE20, 0xFE2F}}};
constexpr std::array<Range, 12> wide = {{{0x1100, 0x115F},
                                         {0x2E80, 0x303E},
                                         {0x3041, 0x33FF},
                                         {0x3400, 0x4DBF},
                                         {0x4E00, 0xA4CF},
                                         {0xA960, 0xA97F},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF01, 0xFF60},
                                         {0x1F300, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
}

/// Letters inserted, dropped, changed or swapped with their neighbour; upper case counts as lower.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

bool is_plain(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') ||
         std::string_view("_-./:,+@%=").find(letter) != std::string_view::npos;
}

/// No control characters, no marks that turn the direction of writing, no broken UTF-8.
bool is_safe(std::string_view text) {
  while (!text.empty()) {
    const auto point = decode(text);
    if (!point || within(point->value, unsafe)) return false;
    text.remove_prefix(point->bytes);
  }
  return true;
}

std::string shell_word(std::string_view word, bool first) {
  // A first word with '=' would be taken for a variable.
  const bool assignment = first && word.find('=') != std::string_view::npos;
  if (!word.empty() && !assignment && std::all_of(word.begin(), word.end(), is_plain)) {
    return std::string(word);
  }
  if (!is_safe(word)) {
    std::string result = "$'";
    while (!word.empty()) {
      const auto point = decode(word);
      const std::string_view piece = word.substr(0, point ? point->bytes : 1);
      if (!point || within(point->value, unsafe)) {
        for (const char letter : piece)
          result += fmt::format("\\{:03o}", static_cast<unsigned char>(letter));
      } else {
        if (piece == "'" || piece == "\\") result += '\\';
        result += piece;
      }
      word.remove_prefix(piece.size());
    }
    return result + "'";
  }
  std::string result = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      result += "'\\''";
    } else {
      result += letter;
    }
  }
  return result + "'";
}

}  // namespace

std::string suggest(std::string_view wrong, const std::vector<std::string>& known) {
  const std::string near = nearest(wrong, known);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  return known.empty() ? "known: none" : "known: " + join(known, ", ");
}

std::string nearest(std::string_view wrong, const std::vector<std::string>& known) {
  const std::size_t enough = std::max<std::size_t>(1, wrong.size() / 3);  // a slip, not a guess
  std::string best;
  std::size_t best_distance = enough + 1;
  for (const std::string& name : known) {
    const std::size_t longer = std::max(name.size(), wrong.size());
    if (longer - std::min(name.size(), wrong.size()) > enough) continue;
    const std::size_t apart = distance(wrong, name);
    if (apart < best_distance && apart < longer) {
      best = name;
      best_distance = apart;
    }
  }
  return best;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  const auto step = [&](std::size_t at) {
    const auto point = decode(text.substr(at));
    return point ? point->bytes : 1;
  };
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t += step(t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      // The last star takes one character more; earlier stars never need to be tried again.
      p = star + 1;
      resume += step(resume);
      t = resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (;;) {
    const auto end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::string counted(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string result;
  while (!text.empty()) {
    const auto point = decode(text);
    const bool good = point && !within(point->value, unsafe);
    const std::size_t bytes = point ? point->bytes : 1;
    if (result.size() + (good ? bytes : 1) > limit) break;
    if (good) {
      result += text.substr(0, bytes);
    } else {
      result += '?';
    }
    text.remove_prefix(bytes);
  }
  return result;
}

std::string safe_text(std::string_view text, std::string_view kept) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kept), text.size());
    // No limit: a broken letter may grow, by less than this.
    result += printable(text.substr(0, end), end * 4 + 16);
    if (end < text.size()) result += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string shell_line(const std::vector<std::string>& command) {
  std::vector<std::string> words;
  for (const std::string& word : command) words.push_back(shell_word(word, words.empty()));
  return join(words, " ");
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const auto point = decode(text);
    const char32_t value = point ? point->value : U'?';
    if (!within(value, zero_width)) columns += within(value, wide) ? 2 : 1;
    text.remove_prefix(point ? point->bytes : 1);
  }
  return columns;
}

std::string figure(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 1e-5 || size >= 1e12) return fmt::format("{:.3e}", value);
  int exponent = static_cast<int>(std::floor(std::log10(size)));
  const auto decimals = [&] { return exponent >= 4 ? 0 : exponent == 3 ? 1 : 3 - exponent; };
  // Rounding may lift a figure into the next decade (9.9996), where it has a decimal fewer.
  const double unit = std::pow(10.0, decimals());
  if (std::round(size * unit) / unit >= std::pow(10.0, exponent + 1)) ++exponent;
  return fmt::format("{:.{}f}", value, decimals());
}

std::string half_width_text(double share, bool unicode) {
  if (!(share <= 1)) return "> 100 %";
  if (share < 0.0001) return "< 0.01 %";
  const double percent = 100 * share;
  // Two digits, but never as "1e+02".
  const std::string digits = percent < 99.5 ? fmt::format("{:.2g}", percent) : "100";
  return fmt::format("{}{} %", unicode ? "±" : "+-", digits);
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return figure(seconds) + " s";
  if (seconds < 0) return fmt::format("-{}", duration_text(-seconds));
  if (seconds == 0) return "0 s";
  if (seconds < 0.9995e-3) return fmt::format("{} µs", std::lround(seconds * 1e6));
  if (seconds < 9.95e-3) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 0.9995) return fmt::format("{} ms", std::lround(seconds * 1e3));
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  if (seconds >= 1e15) return fmt::format("{:.3e} s", seconds);
  const long long whole = std::llround(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  const long long minutes = (whole + 30) / 60;
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace trainmark
