// Behind each figure: interval, runs, average, median, speed-up; and how it scales.

#include <ostream>
#include <utility>

#include "base/text.h"
#include "report/content/figures.h"
#include "report/content/scaling.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

std::string runs_text(const Result& result) {
  if (result.failed.empty()) return std::to_string(result.runs.size());
  return fmt::format("{}/{}", result.runs.size(), result.runs.size() + result.failed.size());
}

std::vector<TableCell> detail_row(const Result& result, const ReportInput& input) {
  const Language language = input.language;
  const bool any = !result.runs.empty();
  const std::string failure = failure_text(result, language);
  std::vector<TableCell> row = {result.cell.scale.text(),
                                batch_text(result.cell, true),
                                result.cell.framework,
                                any ? figure(result.throughput.value) : "-",
                                interval_text(result, true),
                                runs_text(result),
                                any ? figure(result.throughput.average) : "-",
                                any ? figure(result.throughput.median) : "-",
                                ratio_text(result.speedup),
                                step_text(result),
                                memory_text(result),
                                utilisation_text(result),
                                energy_text(result),
                                gpu_busy_text(result)};
  if (input.options.price) row.emplace_back(cost_text(result, input.options.price));
  row.emplace_back(failure.empty() ? verdict_names(result) : failure);
  return row;
}

}  // namespace

void write_details(const ReportInput& input, const PrecisionGroup& group, std::ostream& out) {
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = {{title(Word::scale), Align::left},     {title(Word::batch), Align::right},
                   {title(Word::framework), Align::left}, {title(Word::throughput), Align::right},
                   {title(Word::interval), Align::right}, {title(Word::run_count), Align::right},
                   {title(Word::average), Align::right},  {title(Word::median), Align::right},
                   {title(Word::speedup), Align::right},  {title(Word::step), Align::right},
                   {title(Word::memory), Align::right},   {title(Word::utilisation), Align::right},
                   {title(Word::energy), Align::right},   {title(Word::gpu_busy), Align::right}};
  if (input.options.price) table.columns.push_back({title(Word::cost), Align::right});
  table.columns.push_back({title(Word::remarks), Align::left});
  for (const Result* result : group.results) table.rows.push_back(detail_row(*result, input));
  out << "**" << title(Word::details) << "**: " << say(Word::details_note, input.language) << '\n';
  write_markdown(table, out);
}

void write_scaling(const ReportInput& input, const PrecisionGroup& group, std::ostream& out) {
  bool any = false;
  for (const ScalingSeries& series : scaling_series(group.results)) {
    if (!std::exchange(any, true))
      out << "**" << say(Word::scaling_heading, input.language) << "**\n\n";
    out << say(Word::scaling_case, input.language, markdown_code(series.cell().framework),
               batch_text(series.cell(), true), markdown_text(group.precision))
        << '\n';
    write_markdown(scaling_table(series, input.language), out);
  }
}

}  // namespace trainmark
