#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include "base/cell.h"
#include "report/words/words.h"
#include "report/writing/table.h"

namespace trainmark {

/// What a cell is known by, a column each: how many they are.
inline constexpr std::size_t key_column_count = 7;

std::vector<Column> key_columns(Language language);

/// The texts of one cell in these columns.
std::vector<TableCell> key_texts(const Cell& cell, bool unicode);

/// Where the table is too wide: what all rows share is its caption. Its first columns are these.
void write_with_caption(Table table, Language language, const TerminalOptions& options,
                        std::ostream& out);

/// The same of a table whose first column is the whole key of a cell, one cell per row: in a narrow
/// terminal, the key has a column for each part.
void write_cells(Table table, const std::vector<Cell>& cells, Language language,
                 const TerminalOptions& options, std::ostream& out);

}  // namespace trainmark
