// What is done to a table before columns are cut: what all rows share is said once, above it.

#include "report/writing/narrow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/text.h"

namespace trainmark {

namespace {

constexpr int tells_apart = 100;             // more important than all but the last to go
constexpr std::size_t told_apart_from = 10;  // letters of a name that stay

bool is_constant(const Table& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return row[column].text == table.rows.front()[column].text;
  });
}

}  // namespace

std::size_t natural_width(const Table& table) {
  std::size_t width = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t widest = display_width(printable(table.columns[c].title));
    for (const auto& row : table.rows)
      widest = std::max(widest, display_width(printable(row[c].text)));
    width += widest + (c > 0 ? 2 : 0);
  }
  return width;
}

bool is_too_wide(const Table& table, const TerminalOptions& options) {
  return options.width > 0 && natural_width(table) > options.width;
}

void remove_column(Table& table, std::size_t column) {
  const auto place = static_cast<std::ptrdiff_t>(column);
  table.columns.erase(table.columns.begin() + place);
  for (auto& row : table.rows) row.erase(row.begin() + place);
}

std::vector<std::string> fold_constants(Table& table, std::size_t keys) {
  std::vector<std::string> caption;
  if (table.rows.size() < 2) return caption;
  for (std::size_t c = keys; c-- > 0;) {
    if (!is_constant(table, c)) {
      table.columns[c].importance += tells_apart;
      if (table.columns[c].least_width > 0) table.columns[c].least_width = told_apart_from;
      continue;
    }
    caption.push_back(table.columns[c].title + " " + table.rows.front()[c].text);
    remove_column(table, c);
  }
  std::reverse(caption.begin(), caption.end());
  return caption;
}

void write_caption(const std::vector<std::string>& caption, std::string_view between,
                   const TerminalOptions& options, std::ostream& out) {
  if (caption.empty()) return;
  std::string line;
  for (const std::string& item : caption) {
    std::string piece = printable(item);
    if (&item != &caption.back()) piece += trim(between);
    const std::size_t needed = display_width(line) + 1 + display_width(piece);
    if (!line.empty() && options.width > 0 && needed > options.width) {
      out << line << '\n';
      line = " ";
    }
    if (!line.empty() && between.ends_with(' ')) line += ' ';
    line += piece;
  }
  out << line << '\n';
}

}  // namespace trainmark
