#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logs/generic/quantity.h"

namespace trainmark {

/// A number in a line, and what stands around it.
struct LineField {
  enum class Kind : unsigned char {
    number,
    clock,  // 12:34, 1:02:03, 2 days, 3:04:05: seconds
    stamp   // a date with a time: seconds since 1970 of some time zone
  };
  Kind kind = Kind::number;
  bool whole = false;      // a number without decimals
  bool bracketed = false;  // `0.35 (0.36)`: the mean beside a value
  bool behind_slash = false;
  bool before_slash = false;  // `10/5005`
  bool unit_behind = false;   // the quantity is said behind the number, not in front of it
  std::uint32_t begin = 0;    // of the number
  std::uint32_t end = 0;
  std::uint32_t unit_end = 0;  // of its unit
  std::uint32_t words = 0;     // where the words in front begin
  double value = 0;            // as the quantity says: seconds, items per second
  double resolution = 0;       // what its last digit is worth, in the number itself
  double number = 0;           // as it is printed
  Quantity quantity = {};
  std::uint64_t id = 0;    // of the field, whatever the line
  std::uint64_t lead = 0;  // of all the words in front, with any number for a number
};

/// Takes a line apart into its numbers. One object serves many lines.
class LineFields {
 public:
  /// The line must outlive the fields.
  void read(std::string_view line);

  const std::vector<LineField>& fields() const { return fields_; }
  std::string_view line() const { return line_; }

  /// The words right in front of a field, without what separates them from it.
  std::string words_of(const LineField& field) const;

  /// All in front of a field.
  std::string_view lead_of(const LineField& field) const { return line_.substr(0, field.begin); }

  /// The first field of this identity; null where there is none.
  const LineField* find(std::uint64_t id) const;

 private:
  class Scanner;
  std::string_view line_;
  std::vector<LineField> fields_;
};

}  // namespace trainmark
