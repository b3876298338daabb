#include "logs/cursor.h"

#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

#include "logs/record.h"

namespace trainmark {

namespace {

constexpr auto npos = std::string_view::npos;

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

bool is_name(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         letter == '_' || letter == '.' || letter == '-' || letter == '/';
}

constexpr std::array<std::uint64_t, 9> whole_powers = {1,      10,      100,      1000,     10000,
                                                       100000, 1000000, 10000000, 100000000};

/// The digits among the next eight letters, as one number: all at once, since loops over a few
/// digits end where no processor expects it. How many there were.
[[gnu::always_inline]] inline std::size_t take_eight_digits(const char* text, std::uint64_t& value) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t letters = 0;
  std::memcpy(&letters, text, sizeof letters);
  letters ^= ones * '0';
  const std::uint64_t others = (((letters & ones * 0x7f) + ones * 0x76) | letters) & ones * 0x80;
  const auto count = static_cast<std::size_t>(std::countr_zero(others)) / 8;
  if (count == 0) return 0;
  // Zeros in front make eight digits of them; then pairs, fours and the eight are added up.
  letters <<= 8 * (8 - count);
  letters = letters * 10 + (letters >> 8);
  constexpr std::uint64_t pairs = 0x000000ff000000ff;
  letters =
      ((letters & pairs) * 0x000f424000000064 + ((letters >> 16) & pairs) * 0x0000271000000001) >>
      32;
  value = value * whole_powers[count] + static_cast<std::uint32_t>(letters);
  return count;
}

/// Digits at `place`, added to `value`; how many there were.
[[gnu::always_inline]] inline std::size_t take_digits(std::string_view text, std::size_t place, std::uint64_t& value) {
  std::size_t end = place;
  if constexpr (std::endian::native == std::endian::little) {
    while (end + 8 <= text.size()) {
      const std::size_t count = take_eight_digits(text.data() + end, value);
      end += count;
      if (count < 8) return end - place;
    }
  }
  while (end < text.size() && is_digit(text[end])) {
    value = value * 10 + static_cast<std::uint64_t>(text[end] - '0');
    ++end;
  }
  return end - place;
}

constexpr std::array<double, 16> powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/// The end of the number at `place`, or npos. Short decimals, which is what logs print, are read
/// here: mantissa and power of ten are exact, so one division rounds correctly. All others are left
/// to the library.
std::size_t read_number(std::string_view text, std::size_t place, double& value) {
  std::size_t at = place;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  const std::size_t first = at;
  std::uint64_t mantissa = 0;
  std::size_t digits = take_digits(text, at, mantissa);
  at += digits;
  std::size_t decimals = 0;
  if (at < text.size() && text[at] == '.') {
    decimals = take_digits(text, at + 1, mantissa);
    at += 1 + decimals;
    digits += decimals;
  }
  if (digits == 0) return npos;
  const bool exponent = at < text.size() && (text[at] == 'e' || text[at] == 'E');
  if (digits <= powers.size() - 1 && !exponent) {
    value = static_cast<double>(mantissa) / powers[decimals];
    if (negative) value = -value;
    return at;
  }
  const auto [end, error] = std::from_chars(text.data() + first, text.data() + text.size(), value);
  if (error != std::errc()) return npos;
  if (negative) value = -value;
  return static_cast<std::size_t>(end - text.data());
}

/// 127.0.0.1 and 1.2.3 are no numbers.
bool ends_well(std::string_view text, std::size_t end) {
  return end + 1 >= text.size() || text[end] != '.' || !is_digit(text[end + 1]);
}

/// Two digits at `place`.
int two_digits(std::string_view text, std::size_t place) {
  return 10 * (text[place] - '0') + (text[place + 1] - '0');
}

bool has_shape(std::string_view text, std::size_t place, std::string_view shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const char letter = text[place + i];
    if (shape[i] == '0' ? !is_digit(letter) : shape[i] != '?' && letter != shape[i]) return false;
  }
  return true;
}

double stamp_at(std::string_view text, std::size_t place) {
  constexpr std::string_view shape = "0000?00?00?00:00:00";
  const int year = 100 * two_digits(text, place) + two_digits(text, place + 2);
  const auto day = std::chrono::year(year) /
                   std::chrono::month(static_cast<unsigned>(two_digits(text, place + 5))) /
                   std::chrono::day(static_cast<unsigned>(two_digits(text, place + 8)));
  if (!day.ok()) return not_known;
  double seconds =
      86400.0 * static_cast<double>(std::chrono::sys_days(day).time_since_epoch().count()) +
      3600 * two_digits(text, place + 11) + 60 * two_digits(text, place + 14) +
      two_digits(text, place + 17);
  // Python's logging writes the fraction behind a comma, DLLogger behind a point.
  const std::size_t end = place + shape.size();
  if (end + 1 < text.size() && (text[end] == '.' || text[end] == ',')) {
    std::uint64_t fraction = 0;
    const std::size_t digits = take_digits(text.substr(0, end + 10), end + 1, fraction);
    seconds += static_cast<double>(fraction) / powers[digits];
  }
  return seconds;
}

}  // namespace

bool Cursor::number(double& value) {
  skip_separators();
  double read = 0;
  const std::size_t end = read_number(line_, place_, read);
  if (end == npos || !ends_well(line_, end) || !std::isfinite(read)) return false;
  value = read;
  place_ = end;
  return true;
}

bool Cursor::whole(std::int64_t& value) {
  skip_separators();
  std::uint64_t read = 0;
  const std::size_t digits = take_digits(line_.substr(0, place_ + 18), place_, read);
  if (digits == 0) return false;
  value = static_cast<std::int64_t>(read);
  place_ += digits;
  return true;
}

bool Cursor::loss(double& value) {
  if (number(value)) return true;
  const bool negative = literal("-");
  if (literal("nan") || literal("NaN") || literal("NAN")) {
    value = not_known;
    return true;
  }
  if (literal("inf") || literal("Inf")) {
    value = std::numeric_limits<double>::infinity() * (negative ? -1 : 1);
    return true;
  }
  return false;
}

double field_value(std::string_view text, std::string_view name) {
  for (std::size_t found = find_text(text, name, 0); found != npos;
       found = find_text(text, name, found + name.size())) {
    const std::size_t end = found + name.size();
    if (found > 0 && is_name(text[found - 1])) continue;
    if (end < text.size() && is_name(text[end])) continue;
    Cursor cursor(text);
    cursor.move_to(end);
    double value = not_known;
    if (cursor.number(value)) return value;
  }
  return not_known;
}

double find_stamp(std::string_view text) {
  constexpr std::string_view shape = "0000?00?00?00:00:00";
  for (std::size_t place = 0; place + shape.size() <= text.size(); ++place) {
    const char between = text[place + 4];
    if ((between == '-' || between == '/') && text[place + 7] == between &&
        has_shape(text, place, shape)) {
      return stamp_at(text, place);
    }
  }
  return not_known;
}

int find_rank(std::string_view text) {
  if (find_text(text, "]<std", 0) == npos) return -1;  // far quicker than looking from behind
  const std::size_t end = text.rfind("]<std");
  std::size_t begin = end;
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  if (begin == end || begin == 0 || text[begin - 1] != ',' || end - begin > 6) return -1;
  std::uint64_t rank = 0;
  take_digits(text, begin, rank);
  return static_cast<int>(rank);
}

}  // namespace trainmark
