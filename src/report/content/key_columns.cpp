#include "report/content/key_columns.h"

#include <utility>

#include "report/content/figures.h"
#include "report/writing/narrow_table.h"

namespace trainmark {

std::vector<Column> key_columns(Language language) {
  const auto title = [&](Word word) { return std::string(say(word, language)); };
  return {
      {title(Word::workload), Align::left, 90, 12},  {title(Word::size), Align::left, 60, 0},
      {title(Word::framework), Align::left, 85, 10}, {title(Word::precision), Align::left, 65, 0},
      {title(Word::batch), Align::right, 62, 0},     {title(Word::device), Align::left, 40, 0},
      {title(Word::scale), Align::left, 55, 0}};
}

std::vector<TableCell> key_texts(const Cell& cell, bool unicode) {
  return {cell.workload,    cell.size_text(),          cell.framework,
          cell.precision,   batch_text(cell, unicode), cell.device,
          cell.scale.text()};
}

void write_with_caption(Table table, Language language, const TerminalOptions& options,
                        std::ostream& out) {
  if (is_too_wide(table, options))
    write_caption(fold_constants(table, key_column_count), comma(language), options, out);
  write_terminal(table, options, out);
}

void write_cells(Table table, const std::vector<Cell>& cells, Language language,
                 const TerminalOptions& options, std::ostream& out) {
  if (!is_too_wide(table, options)) {
    write_terminal(table, options, out);
    return;
  }
  const std::vector<Column> keys = key_columns(language);
  remove_column(table, 0);
  table.columns.insert(table.columns.begin(), keys.begin(), keys.end());
  for (std::size_t row = 0; row < cells.size(); ++row) {
    const std::vector<TableCell> texts = key_texts(cells[row], options.unicode);
    table.rows[row].insert(table.rows[row].begin(), texts.begin(), texts.end());
  }
  write_with_caption(std::move(table), language, options, out);
}

}  // namespace trainmark
