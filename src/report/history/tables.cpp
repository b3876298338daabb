// Histories for people: on the terminal and as Markdown.

#include <cmath>
#include <ostream>

#include "base/text.h"
#include "report/content/figures.h"
#include "report/content/key_columns.h"
#include "report/history/history.h"
#include "report/history/plot.h"
#include "report/markdown/environment_differences.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

constexpr std::size_t most_bars = 24;  // of the newest results

std::string bars_of(const CellHistory& cell, bool unicode) {
  std::vector<double> values;
  for (const Result* result : cell.results) values.push_back(result->throughput.value);
  if (values.size() > most_bars)
    values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(most_bars));
  return spark_line(values, unicode);
}

/// "±1.2 %": where a further result of the newest speed would lie.
std::string band_text(const CellHistory& cell, bool unicode) {
  const HistoryPart& part = cell.changes.parts.back();
  const double half = part.band.high - part.mean;
  if (!std::isfinite(half)) return "?";
  const double share = std::expm1(half);
  return share > 1 ? half_width_text(share, unicode)
                   : fmt::format("{}{:.2f} %", unicode ? "±" : "+-", 100 * share);
}

TableCell changes_of(const HistoryInput& input, const CellHistory& cell, bool unicode) {
  if (cell.results.size() < fewest_for_change)
    return {say(Word::history_too_few_brief, input.language, fewest_for_change), Tone::plain};
  std::vector<std::string> texts;
  for (const ChangePoint& change : cell.changes.changes)
    texts.push_back(change_point_text(input, cell, change, unicode));
  if (texts.empty()) return {std::string(say(Word::history_none, input.language)), Tone::plain};
  const bool faster = cell.changes.changes.back().ratio > 1;
  return {join(texts, "; "), faster ? Tone::good : Tone::bad};
}

Table history_table(const HistoryInput& input, bool unicode) {
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = {{title(Word::cell), Align::left, 90, 24},
                   {title(Word::journals_column), Align::right, 50, 0},
                   {title(Word::history_line), Align::left, 60, 0},
                   {title(Word::newest), Align::right, 80, 0},
                   {title(Word::noise_band), Align::right, 70, 0},
                   {title(Word::changes), Align::left, 100, 20}};
  for (const CellHistory& cell : input.cells)
    table.rows.push_back({cell.cell.key(), std::to_string(cell.results.size()),
                          bars_of(cell, unicode), throughput_text(*cell.results.back()),
                          band_text(cell, unicode), changes_of(input, cell, unicode)});
  return table;
}

void write_on_terminal(const HistoryInput& input, std::ostream& out) {
  std::vector<Cell> cells;
  for (const CellHistory& cell : input.cells) cells.push_back(cell.cell);
  if (!cells.empty())
    write_cells(history_table(input, input.options.unicode), cells, input.language, input.options,
                out);
  out << '\n' << history_summary(input) << '\n';
}

void write_journals(const HistoryInput& input, std::ostream& out) {
  Table table;
  table.columns = {{std::string(say(Word::journals_column, input.language)), Align::left},
                   {std::string(say(Word::begun_column, input.language)), Align::left},
                   {"trainmark", Align::left}};
  for (const HistoryJournal& journal : input.journals)
    table.rows.push_back({journal.name, journal.started, journal.trainmark});
  write_markdown(table, out);
}

void write_as_markdown(const HistoryInput& input, std::ostream& out) {
  out << "# " << say(Word::history_title, input.language) << "\n\n"
      << history_summary(input) << "\n\n"
      << say(Word::history_method, input.language, 100 * input.limits.false_alarm,
             100 * input.limits.same)
      << '\n';
  if (!input.cells.empty()) write_markdown(history_table(input, true), out);
  if (input.options.add_plot) {
    for (std::size_t i = 0; i < input.cells.size(); ++i) {
      const CellHistory& cell = input.cells[i];
      const std::string path =
          input.options.add_plot(fmt::format("history-{}", i + 1), history_plot(input, cell));
      out << "\n" << markdown_image(cell.cell.key(), path) << '\n';
    }
  }
  out << "\n## " << say(Word::journals_column, input.language) << '\n';
  write_journals(input, out);
  write_environment_differences(input.environments, input.language, out);
}

const Registration<HistoryFormat> registered_table("table",
                                                   {"a table for the terminal", write_on_terminal});
const Registration<HistoryFormat> registered_markdown("md",
                                                      {"a page in Markdown", write_as_markdown});

}  // namespace

}  // namespace trainmark
