// Comparisons on the terminal. In a narrow one, everything that tells rows apart and every answer
// survives: what all rows share is said once, and how to resolve what is unclear below the table.

#include <algorithm>
#include <ostream>
#include <set>

#include "base/text.h"
#include "base/wrapped.h"
#include "report/comparison/comparison.h"
#include "report/content/change_text.h"
#include "report/content/figures.h"
#include "report/content/key_columns.h"
#include "report/writing/narrow_table.h"

namespace trainmark {

namespace {

/// The unit that all throughputs have; empty where there are several, or other figures.
std::string common_unit(const ComparisonInput& input) {
  std::set<std::string> units;
  for (const ComparedCell& cell : input.cells)
    for (const Result* result : {&cell.base, &cell.next})
      if (!result->runs.empty()) units.insert(cell.quality ? "" : result->unit);
  return units.size() == 1 ? *units.begin() : "";
}

std::string without_unit(std::string text, const std::string& unit) {
  const std::string end = " " + unit + "/s";
  if (!unit.empty() && text.ends_with(end)) text.resize(text.size() - end.size());
  return text;
}

/// With a unit, it is left out: the caption says it. Advice comes last, and may stand elsewhere.
Table terminal_table(const ComparisonInput& input, const std::string& unit, bool advice) {
  const bool unicode = input.options.unicode;
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = key_columns(input.language);
  table.columns.push_back({title(Word::base), Align::right, 70, 0});
  table.columns.push_back({title(Word::next), Align::right, 71, 0});
  table.columns.push_back({title(Word::change), Align::right, last_to_go, 0});
  table.columns.push_back({title(Word::change_interval), Align::right, 94, 0});
  table.columns.push_back({title(Word::answer), Align::left, last_to_go, 0});
  if (advice) table.columns.push_back({title(Word::to_resolve), Align::left, 60, 16});
  for (const ComparedCell* cell : worst_first(input)) {
    const Comparison& comparison = cell->comparison;
    std::vector<TableCell> row = key_texts(cell->base.cell, unicode);
    row.emplace_back(without_unit(compared_text(*cell, cell->base), unit));
    row.emplace_back(without_unit(compared_text(*cell, cell->next), unit));
    row.emplace_back(change_text(comparison.ratio, unicode), tone_of(comparison.answer));
    row.emplace_back(change_interval_text(comparison, unicode));
    row.emplace_back(answer_words(comparison.answer, input.language), tone_of(comparison.answer));
    if (advice) row.emplace_back(settling_text(comparison, input.language));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void write_advice(const ComparisonInput& input, std::ostream& out) {
  out << '\n' << say(Word::what_settles, input.language) << '\n';
  for (const ComparedCell* cell : worst_first(input)) {
    const std::string said = settling_text(cell->comparison, input.language);
    if (said.empty()) continue;
    out << "  "
        << wrapped(fmt::format("{}{}{}", printable(cell->base.cell.key()), colon(input.language),
                               printable(said, 400)),
                   input.options.width, 4, 2)
        << '\n';
  }
}

void write_answers(const ComparisonInput& input, std::ostream& out) {
  const bool advice = has_advice(input);
  Table table = terminal_table(input, "", advice);
  if (!is_too_wide(table, input.options)) {
    write_terminal(table, input.options, out);
    return;
  }
  const std::string unit = common_unit(input);
  table = terminal_table(input, unit, false);
  std::vector<std::string> caption = fold_constants(table, key_column_count);
  if (!unit.empty()) caption.push_back(say(Word::all_in_unit, input.language, unit + "/s"));
  write_caption(caption, comma(input.language), input.options, out);
  if (!caption.empty()) out << '\n';
  write_terminal(table, input.options, out);
  if (advice) write_advice(input, out);
}

/// Factors of time to quality.
void write_factors(const ComparisonInput& input, std::ostream& out) {
  const Table table = factor_table(input);
  if (table.rows.empty()) return;
  out << say(Word::quality_factors, input.language) << '\n';
  std::vector<Cell> cells;
  for (const ComparedCell& cell : input.cells)
    if (cell.quality) cells.push_back(cell.base.cell);
  write_cells(table, cells, input.language, input.options, out);
  out << '\n';
}

void write_environments(const ComparisonInput& input, std::ostream& out) {
  if (input.environments.empty()) return;
  out << say(Word::environment_differences, input.language) << '\n';
  for (const EnvironmentDifference& difference : input.environments) {
    const std::vector<std::string> values = difference.values(input.language);
    out << "  "
        << wrapped(fmt::format("{}{}{} {} {}", printable(difference.title(input.language)),
                               colon(input.language), printable(values.front(), 400),
                               input.options.unicode ? "→" : "->", printable(values.back(), 400)),
                   input.options.width, 4, 2)
        << '\n';
  }
  out << '\n';
}

void write_on_terminal(const ComparisonInput& input, std::ostream& out) {
  if (!input.cells.empty()) {
    write_answers(input, out);
    out << '\n';
  }
  write_factors(input, out);
  const auto only = [&](const std::string& name, const std::vector<Result>& results) {
    if (results.empty()) return;
    out << say(Word::only_in, input.language, printable(name)) << '\n';
    for (const Result& result : results) out << "  " << printable(result.cell.key()) << '\n';
    out << '\n';
  };
  only(input.base_name, input.only_base);
  only(input.next_name, input.only_next);
  write_environments(input, out);
  out << summary_line(input) << '\n';
}

const Registration<ComparisonFormat> registered_table("table", {"a table for the terminal",
                                                                write_on_terminal});

}  // namespace

}  // namespace trainmark
