#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logs/generic/field_words.h"
#include "logs/generic/printed_value.h"
#include "logs/generic/quantity.h"

namespace trainmark {

/// A number in a line, and what stands around it.
struct LineField {
  using Kind = ValueKind;
  Kind kind = Kind::number;
  bool whole = false;      // a number without decimals
  bool bracketed = false;  // `0.35 (0.36)`: the mean beside a value
  bool behind_slash = false;
  bool before_slash = false;  // `10/5005`
  bool unit_behind = false;   // the quantity is said behind the number, not in front of it
  bool named_behind = false;  // so is the name: `50batch`
  bool of_bar = false;        // a progress bar's own rate, behind its clocks
  bool duration = false;      // `1m 30s`
  bool negative = false;
  std::uint32_t begin = 0;  // of the number
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

/// The fields of lines, to be read again where a line differs from an earlier one by its numbers
/// alone, as nearly all lines of a log do: that takes a fraction of the time.
class LineMoulds {
 public:
  static constexpr int none = -1;

  /// Fills the fields of the mould that fits, and says which one it is; `none` where none does.
  int fill(std::string_view line);
  void keep(std::string_view line, const std::vector<LineField>& fields);
  const std::vector<LineField>& fields(int mould) const {
    return moulds_[static_cast<std::size_t>(mould)].fields;
  }

 private:
  struct Mould {
    std::string line;
    std::vector<LineField> first;   // of `line`
    std::vector<LineField> fields;  // of the line that was read last
  };
  struct Place {
    std::size_t begin = 0, end = 0;
    PrintedValue value;
  };
  bool fits(const Mould& mould, std::string_view line);

  std::vector<Mould> moulds_;
  std::vector<Place> places_;  // of the line that is tried
  std::size_t oldest_ = 0;
  std::size_t last_ = 0;
};

/// Takes a line apart into its numbers. One object serves many lines.
class LineFields {
 public:
  /// The line must outlive the fields.
  void read(std::string_view line);

  const std::vector<LineField>& fields() const {
    return mould_ == LineMoulds::none ? scanned_ : moulds_.fields(mould_);
  }
  std::string_view line() const { return line_; }

  /// The words right in front of a field, in lower case, without what separates them from it; those
  /// behind it where its name stands there. They last until the next line is read.
  const std::string& words_of(const LineField& field) const;

  /// All in front of a field.
  std::string_view lead_of(const LineField& field) const { return line_.substr(0, field.begin); }

  /// The first field of this identity; null where there is none.
  const LineField* find(std::uint64_t id) const;

 private:
  class Scanner;
  std::string_view line_;
  std::vector<LineField> scanned_;
  LineMoulds moulds_;
  int mould_ = LineMoulds::none;
  mutable FieldWordsCache words_;
};

}  // namespace trainmark
