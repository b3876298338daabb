#pragma once

#include <optional>
#include <ostream>
#include <string>

namespace trainmark {

// The fields of a CSV as RFC 4180 wants them.

/// A text of others as a field. A spreadsheet takes some first letters for a formula, which could
/// run programs: such a text gets an apostrophe in front.
std::string csv_field(const std::string& raw);
/// The shortest digits that read back as the same number; empty where there is none.
std::string csv_field(double value);
std::string csv_field(const std::optional<double>& value);
std::string csv_field(const std::optional<int>& value);
std::string csv_field(int value);
std::string csv_field(std::size_t value);

template <class... Fields>
void csv_line(std::ostream& out, const Fields&... fields) {
  const char* between = "";
  ((out << between << csv_field(fields), between = ","), ...);
  out << '\n';
}

}  // namespace trainmark
