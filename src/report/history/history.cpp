#include "report/history/history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "measure/run_spread.h"
#include "report/content/change_text.h"

namespace trainmark {

namespace {

void add_figures(HistoryInput& input, std::size_t place, std::map<Cell, std::size_t>& cells) {
  for (const Result& result : *input.journals[place].results) {
    if (!(result.throughput.value > 0)) continue;
    const auto [found, is_new] = cells.try_emplace(result.cell, input.cells.size());
    if (is_new) input.cells.push_back({result.cell, result.unit, {}, {}, {}});
    CellHistory& history = input.cells[found->second];
    history.journals.push_back(place);
    history.results.push_back(&result);
  }
}

}  // namespace

HistoryInput make_history(std::vector<HistoryJournal> journals, const ChangeLimits& limits) {
  HistoryInput input;
  input.limits = limits;
  input.journals = std::move(journals);
  std::stable_sort(
      input.journals.begin(), input.journals.end(),
      [](const HistoryJournal& a, const HistoryJournal& b) { return a.started < b.started; });
  std::map<Cell, std::size_t> cells;
  std::vector<const JournalContents*> contents;
  for (std::size_t place = 0; place < input.journals.size(); ++place) {
    add_figures(input, place, cells);
    contents.push_back(input.journals[place].contents);
  }
  std::erase_if(input.cells, [](const CellHistory& cell) { return cell.results.size() < 2; });
  for (CellHistory& cell : input.cells) {
    std::vector<double> logs;
    for (const Result* result : cell.results) logs.push_back(spread_of(summaries(*result)).mean);
    cell.changes = find_changes(logs, limits);
  }
  input.environments = environment_differences(contents);
  return input;
}

double throughput_of(double log_seconds) {
  return std::exp(-log_seconds);
}

std::string change_point_text(const HistoryInput& input, const CellHistory& cell,
                              const ChangePoint& change, bool unicode) {
  const HistoryJournal& journal = input.journals[cell.journals[change.at]];
  Comparison comparison;
  comparison.ratio = change.ratio;
  comparison.interval = change.interval;
  const std::string when = journal.started.empty() ? journal.name : journal.started.substr(0, 10);
  return fmt::format("{}{}{}{}", when, colon(input.language), change_text(change.ratio, unicode),
                     in_brackets(change_interval_text(comparison, unicode), input.language));
}

std::string spark_line(const std::vector<double>& values, bool unicode) {
  static constexpr std::array<std::string_view, 8> bars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (values.empty()) return "";
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  // What differs by less than this is noise to the eye, too, and must not look like a mountain.
  const double span = std::max(*high - *low, 0.05 * *high);
  std::string line;
  for (const double value : values) {
    const double share = std::clamp((value - (*high - span)) / span, 0.0, 1.0);
    const auto step = static_cast<std::size_t>(std::lround(share * 7));
    line += unicode ? std::string(bars[step]) : std::to_string(step + 1);
  }
  return line;
}

std::string history_summary(const HistoryInput& input) {
  std::size_t changed = 0;
  for (const CellHistory& cell : input.cells) changed += !cell.changes.changes.empty();
  return say(Word::history_summary, input.language, input.journals.size(), input.cells.size(),
             changed);
}

}  // namespace trainmark
