#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "report/writing/table.h"

namespace trainmark {

/// Columns that the table takes where nothing of it is left out.
std::size_t natural_width(const Table& table);

/// Is there room for less than the whole table?
bool is_too_wide(const Table& table, const TerminalOptions& options);

/// Takes out of the first `keys` columns those that are the same in every row, as a caption: their
/// titles and texts, "precision fp32". The others tell rows apart: of all but the columns that the
/// table is made for, they are the last to be left out.
std::vector<std::string> fold_constants(Table& table, std::size_t keys);

/// The columns behind the first `keys` in several tables, none wider than the place, each behind
/// those first ones; a column too wide for that has a table of its own.
std::vector<Table> blocks_of(const Table& table, std::size_t keys, const TerminalOptions& options);

void remove_column(Table& table, std::size_t column);

/// The caption above a table, in as many lines as it takes; what belongs together stays together.
void write_caption(const std::vector<std::string>& caption, std::string_view between,
                   const TerminalOptions& options, std::ostream& out);

}  // namespace trainmark
