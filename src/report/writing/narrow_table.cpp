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

std::size_t column_width(const Table& table, std::size_t column) {
  std::size_t widest = display_width(printable(table.columns[column].title));
  for (const auto& row : table.rows) {
    const TableCell& cell = row[column];
    const std::size_t note = cell.note.empty() ? 0 : display_width(printable(cell.note)) + 3;
    widest = std::max(widest, display_width(printable(cell.text)) + note);
  }
  return widest;
}

void append_columns(Table& table, const Table& from, std::size_t begin, std::size_t end) {
  table.rows.resize(from.rows.size());
  for (std::size_t c = begin; c < end; ++c) {
    table.columns.push_back(from.columns[c]);
    for (std::size_t row = 0; row < from.rows.size(); ++row)
      table.rows[row].push_back(from.rows[row][c]);
  }
}

bool is_constant(const Table& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return row[column].text == table.rows.front()[column].text;
  });
}

}  // namespace

std::size_t natural_width(const Table& table) {
  std::size_t width = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    width += column_width(table, c) + (c > 0 ? column_gap : 0);
  return width;
}

std::vector<Table> blocks_of(const Table& table, std::size_t keys, const TerminalOptions& options) {
  if (!is_too_wide(table, options)) return {table};
  Table names;
  append_columns(names, table, 0, keys);
  const std::size_t names_width = natural_width(names);
  std::vector<Table> blocks = {names};
  std::size_t width = names_width;
  for (std::size_t c = keys; c < table.columns.size(); ++c) {
    const std::size_t more = column_gap + column_width(table, c);
    if (width + more > options.width && blocks.back().columns.size() > keys) {
      blocks.push_back(names);
      width = names_width;
    }
    append_columns(blocks.back(), table, c, c + 1);
    width += more;
  }
  return blocks;
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
