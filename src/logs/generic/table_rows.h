#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// Tables that a program prints as it trains: a heading of names, and below it rows of nothing but
/// numbers, between bars, commas, tabs or blanks. Rows are turned into lines that say what their
/// numbers are.
class TableRows {
 public:
  /// Of a row, `name=value` for each of its cells, behind `mark`; of any other line the line
  /// itself. What is given back lives until the next call.
  std::string_view named(std::string_view line);

  /// No log prints it: lines that begin with it were made from rows.
  static constexpr char mark = '\x1e';

 private:
  struct Heading {
    char between = 0;
    std::vector<std::string> names;
  };
  static bool read_heading(std::string_view line, Heading& heading);
  bool name_row(std::string_view line, const Heading& heading);

  Heading heading_;
  Heading candidate_;  // until a row follows, it may be a sentence
  std::string text_;
};

}  // namespace trainmark
