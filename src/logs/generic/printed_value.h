#pragma once

#include <cstddef>
#include <string_view>

namespace trainmark {

enum class ValueKind : unsigned char {
  number,
  clock,  // 12:34, 1:02:03, 2 days, 3:04:05: seconds
  stamp   // a date with a time: seconds since 1970 of some time zone
};

/// A number, a clock or a time stamp, as it stands in a line.
struct PrintedValue {
  ValueKind kind = ValueKind::number;
  bool whole = false;     // a number without decimals
  bool duration = false;  // `1m 30s`: seconds, and the unit is said
  double number = 0;
  double resolution = 1;  // what its last digit is worth
};

/// Reads the one that begins at `at`, where a digit stands; `at` is moved behind it. False for what
/// is none: a date alone, an address (127.0.0.1), more digits than any counter has.
bool read_value(std::string_view line, std::size_t& at, PrintedValue& value);

}  // namespace trainmark
