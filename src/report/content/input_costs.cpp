#include "report/content/input_costs.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "base/text.h"
#include "report/content/figures.h"
#include "report/content/scaling.h"

namespace trainmark {

namespace {

std::string optional_figure(const std::optional<double>& value) {
  return value ? figure(*value) : "-";
}

}  // namespace

std::string input_cost_text(const Result& result) {
  if (!result.input_cost) return "-";
  const InputCost& cost = *result.input_cost;
  const double low = 100 * cost.interval.low;
  if (!std::isfinite(low)) return fmt::format("{:.1f} % (?)", 100 * cost.share);
  return fmt::format("{:.1f} % ({:.1f} … {:.1f})", 100 * cost.share, low, 100 * cost.interval.high);
}

Table input_costs(const ReportInput& input) {
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = {{title(Word::workload), Align::left, 100, 0},
                   {title(Word::size), Align::left, 60, 0},
                   {title(Word::data), Align::left, 85, 0},
                   {title(Word::framework), Align::left, 95, 0},
                   {title(Word::precision), Align::left, 55, 0},
                   {title(Word::batch), Align::right, 58, 0},
                   {title(Word::input_step), Align::right, 75, 0},
                   {title(Word::input_pipeline), Align::right, 76, 0},
                   {title(Word::input_both), Align::right, 90, 0},
                   {title(Word::input_cost), Align::right, 98, 0},
                   {title(Word::input_wait), Align::right, 70, 0},
                   {title(Word::input_cores), Align::right, 65, 0}};
  std::map<Cell, const Result*> measured;
  for (const Result& result : input.results) measured[result.cell] = &result;
  const auto speed_of = [&](const Cell& cell) -> std::string {
    const auto found = measured.find(cell);
    if (found == measured.end()) return "-";
    return found->second->runs.empty() ? failure_text(*found->second, input.language)
                                       : throughput_text(*found->second);
  };
  for (const Result& result : input.results) {
    const Cell& cell = result.cell;
    if (cell.data.empty() || !cell.input.empty() || result.quality) continue;
    Cell step = cell, pipeline = cell;
    step.data.clear();
    pipeline.input = pipeline_only;
    table.rows.push_back(
        {cell.workload, cell.model_text(), cell.data, cell.framework, cell.precision,
         batch_text(cell, input.options.unicode), speed_of(step), speed_of(pipeline),
         speed_of(cell), input_cost_text(result), share_text(result.input_wait),
         optional_figure(result.input_cost ? result.input_cost->cores : std::nullopt)});
  }
  return table;
}

}  // namespace trainmark
