#include "logs/grammar/cursor.h"

#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "logs/grammar/record.h"

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

/// The first `count` of eight letters, which are digits, as one number; 1 to 8 of them. All at
/// once, since loops over a few digits end where no processor expects it.
[[gnu::always_inline]] inline std::uint64_t value_of(std::uint64_t letters, std::size_t count) {
  constexpr std::uint64_t zeros = 0x3030303030303030;
  // Zeros in front make eight digits of them; then pairs, fours and the eight are added up.
  letters = (letters ^ zeros) << (8 * (8 - count));
  letters = letters * 10 + (letters >> 8);
  constexpr std::uint64_t pairs = 0x000000ff000000ff;
  return ((letters & pairs) * 0x000f424000000064 +
          ((letters >> 16) & pairs) * 0x0000271000000001) >>
         32;
}

[[gnu::always_inline]] inline std::uint64_t eight_letters(const char* text) {
  std::uint64_t letters = 0;
  std::memcpy(&letters, text, sizeof letters);
  return letters;
}

/// The digits among the next eight letters, added to `value`; how many there were.
[[gnu::always_inline]] inline std::size_t take_eight_digits(const char* text,
                                                            std::uint64_t& value) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t letters = eight_letters(text);
  const std::uint64_t digits = letters ^ (ones * '0');
  const std::uint64_t others = (((digits & ones * 0x7f) + ones * 0x76) | digits) & ones * 0x80;
  const auto count = static_cast<std::size_t>(std::countr_zero(others)) / 8;
  if (count > 0)
    value = value * whole_powers[count] + static_cast<std::uint32_t>(value_of(letters, count));
  return count;
}

/// Digits at `place`, added to `value`; how many there were.
[[gnu::always_inline]] inline std::size_t take_digits(std::string_view text, std::size_t place,
                                                      std::uint64_t& value) {
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

/// Of the letters from `first` on, behind the sign.
std::size_t read_with_library(std::string_view text, std::size_t first, double& value) {
  const auto [end, error] = std::from_chars(text.data() + first, text.data() + text.size(), value);
  return error == std::errc() ? static_cast<std::size_t>(end - text.data()) : npos;
}

/// The end of the number at `place`, or npos. Short decimals are read here: mantissa and power of
/// ten are exact, so one division rounds correctly. All others are left to the library.
std::size_t read_any_number(std::string_view text, std::size_t place, double& value) {
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
  } else {
    at = read_with_library(text, first, value);
  }
  if (negative) value = -value;
  return at;
}

#ifdef __SSE2__  // little-endian, too

/// Which of the next 16 letters are digits, a bit each.
[[gnu::always_inline]] inline unsigned digits_among_sixteen(const char* text) {
  const __m128i letters = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i values = _mm_sub_epi8(letters, _mm_set1_epi8('0'));
  const __m128i beyond_nine = _mm_subs_epu8(values, _mm_set1_epi8(9));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(beyond_nine, _mm_setzero_si128())));
}

/// Of a number with 1 to 7 digits before its point and 1 to 7 behind it.
[[gnu::always_inline]] inline std::uint64_t mantissa_of(const char* number, std::size_t wholes,
                                                        std::size_t decimals) {
  const std::uint64_t front = eight_letters(number);
  if (wholes + decimals <= 8) {
    const std::uint64_t before_point = (std::uint64_t{1} << (8 * wholes)) - 1;
    const std::uint64_t behind = eight_letters(number + 1);
    return value_of((front & before_point) | (behind & ~before_point), wholes + decimals);
  }
  return value_of(front, wholes) * whole_powers[decimals] +
         value_of(eight_letters(number + wholes + 1), decimals);
}

/// What logs print nearly always: digits, a point, digits, and something else within 16 letters.
/// Where it ends is known before its value, so that reading goes on meanwhile. npos for all others.
[[gnu::always_inline]] inline std::size_t read_plain_decimal(std::string_view text,
                                                             std::size_t place, double& value) {
  constexpr std::size_t letters = 16;
  if (place + letters > text.size()) return npos;
  const char* const number = text.data() + place;
  const unsigned digits = digits_among_sixteen(number);
  const auto wholes = static_cast<std::size_t>(std::countr_one(digits));
  if (wholes == 0 || wholes > 7 || number[wholes] != '.') return npos;
  const auto decimals = static_cast<std::size_t>(std::countr_one(digits >> (wholes + 1)));
  const std::size_t end = wholes + 1 + decimals;
  if (decimals == 0 || decimals > 7 || (number[end] | 0x20) == 'e') return npos;
  const std::uint64_t mantissa = mantissa_of(number, wholes, decimals);
  value = static_cast<double>(static_cast<std::int64_t>(mantissa)) / powers[decimals];
  return place + end;
}

#else

std::size_t read_plain_decimal(std::string_view, std::size_t, double&) {
  return npos;
}

#endif

/// 127.0.0.1 and 1.2.3 are no numbers.
bool ends_well(std::string_view text, std::size_t end) {
  return end + 1 >= text.size() || text[end] != '.' || !is_digit(text[end + 1]);
}

/// Digits that are cut by a comma: of thousands, or in place of a decimal point.
[[gnu::always_inline]] inline bool goes_on_behind_comma(std::string_view text, std::size_t end) {
  return end + 1 < text.size() && text[end] == ',' && is_digit(text[end + 1]);
}

/// Digits in groups of thousands, such as 1,234,567.
struct Thousands {
  std::string digits;      // without the commas
  std::size_t groups = 0;  // behind the first
  std::size_t end = 0;
};

/// Those at `place`; no groups where they are not written as thousands are.
Thousands read_thousands(std::string_view text, std::size_t place) {
  const auto digits_from = [&](std::size_t at) {
    std::size_t count = 0;
    while (at + count < text.size() && is_digit(text[at + count])) ++count;
    return count;
  };
  Thousands found;
  const std::size_t first = digits_from(place);
  found.digits = text.substr(place, first);
  found.end = place + first;
  if (first == 0 || first > 3 || text[place] == '0') return found;
  while (goes_on_behind_comma(text, found.end)) {
    if (digits_from(found.end + 1) != 3) return {};
    found.digits += text.substr(found.end + 1, 3);
    found.end += 4;
    if (++found.groups > 4) return {};
  }
  return found;
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
  const std::size_t end = read_plain_decimal(line_, place_, read);
  if (end == npos) return unusual_number(value);
  if (!ends_well(line_, end)) return false;
  if (goes_on_behind_comma(line_, end)) return number_with_commas(value);
  value = read;
  place_ = end;
  return true;
}

bool Cursor::unusual_number(double& value) {
  double read = 0;
  const std::size_t end = read_any_number(line_, place_, read);
  if (end == npos || !ends_well(line_, end) || !std::isfinite(read)) return false;
  if (goes_on_behind_comma(line_, end)) return number_with_commas(value);
  value = read;
  place_ = end;
  return true;
}

bool Cursor::number_with_commas(double& value) {
  const bool negative = line_[place_] == '-';
  const Thousands thousands = read_thousands(line_, place_ + (negative ? 1 : 0));
  if (thousands.groups == 0) return false;
  std::size_t end = thousands.end;
  std::size_t decimals = 0;
  if (end < line_.size() && line_[end] == '.') {
    while (end + 1 + decimals < line_.size() && is_digit(line_[end + 1 + decimals])) ++decimals;
  }
  if (decimals == 0 && thousands.groups == 1) return false;
  const std::string plain =
      thousands.digits + std::string(line_.substr(end, decimals == 0 ? 0 : 1 + decimals));
  if (decimals > 0) end += 1 + decimals;
  double read = 0;
  if (read_with_library(plain, 0, read) == npos || !ends_well(line_, end) ||
      goes_on_behind_comma(line_, end))
    return false;
  value = negative ? -read : read;
  place_ = end;
  return true;
}

bool Cursor::whole_with_commas(std::int64_t& value) {
  const Thousands thousands = read_thousands(line_, place_);
  if (thousands.groups == 0) return false;
  std::uint64_t read = 0;
  take_digits(thousands.digits, 0, read);
  value = static_cast<std::int64_t>(read);
  place_ = thousands.end;
  return true;
}

bool Cursor::whole(std::int64_t& value) {
  skip_separators();
  if (place_ + 8 > line_.size()) return unusual_whole(value);
  std::uint64_t read = 0;
  const std::size_t digits = take_eight_digits(line_.data() + place_, read);
  if (digits == 0) return false;
  if (digits == 8) return unusual_whole(value);
  if (goes_on_behind_comma(line_, place_ + digits)) return whole_with_commas(value);
  value = static_cast<std::int64_t>(read);
  place_ += digits;
  return true;
}

bool Cursor::unusual_whole(std::int64_t& value) {
  std::uint64_t read = 0;
  const std::size_t digits = take_digits(line_.substr(0, place_ + 18), place_, read);
  if (digits == 0) return false;
  if (goes_on_behind_comma(line_, place_ + digits)) return whole_with_commas(value);
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
  constexpr std::size_t year = 4;
  if (text.size() < shape.size()) return not_known;
  const std::string_view months = text.substr(0, text.size() - shape.size() + year + 1);
  for (std::size_t at = year; (at = find_one_of<'-', '/'>(months, at)) != npos; ++at) {
    const std::size_t place = at - year;
    if (text[place + 7] == text[at] && has_shape(text, place, shape)) return stamp_at(text, place);
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
