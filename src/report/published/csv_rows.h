#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// One record of a CSV, with the line where it begins.
struct CsvRow {
  std::size_t line = 0;
  std::vector<std::string> fields;  // without blanks around them
};

/// The records of a CSV (RFC 4180) as editors and spreadsheets write it: a byte-order mark in front
/// and Windows' line ends are accepted, and a field in quotes may hold line breaks, which become
/// blanks. Empty lines and those that begin with '#' are passed over. Throws UserError, naming
/// `file` and line, for quotes that are never closed.
std::vector<CsvRow> csv_rows(std::string_view text, const std::filesystem::path& file);

}  // namespace trainmark
