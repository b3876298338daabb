#include <ostream>

#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

const char* rule(Align align) {
  return align == Align::left ? ":--" : align == Align::right ? "--:" : ":-:";
}

}  // namespace

void write_markdown(const Table& table, std::ostream& out) {
  // Blank lines around it: some viewers take a table for text otherwise.
  out << "\n|";
  for (const Column& column : table.columns) out << ' ' << markdown_text(column.title) << " |";
  out << "\n|";
  for (const Column& column : table.columns) out << rule(column.align) << '|';
  out << '\n';
  for (const auto& row : table.rows) {
    out << '|';
    for (const TableCell& cell : row) {
      out << ' ' << markdown_text(cell.text);
      if (!cell.note.empty()) out << "<sup>[" << markdown_text(cell.note) << "]</sup>";
      out << " |";
    }
    out << '\n';
  }
  out << '\n';
}

}  // namespace trainmark
