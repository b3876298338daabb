// Behind each figure: interval, runs, average, median, speed-up; and how it scales.

#include <map>
#include <ostream>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "report/figures.h"
#include "report/markdown_sections.h"
#include "report/markdown_text.h"
#include "report/table.h"

namespace trainmark {

namespace {

std::string runs_text(const Result& result) {
  if (result.failed.empty()) return std::to_string(result.runs.size());
  return fmt::format("{}/{}", result.runs.size(), result.runs.size() + result.failed.size());
}

std::vector<TableCell> detail_row(const Result& result, Language language) {
  const bool any = !result.runs.empty();
  const std::string failure = failure_text(result, language);
  return {result.cell.scale.text(),
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
          failure.empty() ? verdict_names(result) : failure};
}

/// What must be equal for two scales to be compared.
using ScalingKey = std::tuple<std::string, int, int>;  // framework, batch, accumulate

struct Scaling {
  std::map<std::pair<int, Scale>, const Result*> by_scale;
};

/// A further column, where figures of others tell more than a throughput.
void add_published(Table& table, const Scaling& scaling, const char* name, Word title,
                   Language language) {
  std::vector<std::string> texts;
  bool any = false;
  for (const auto& [scale, result] : scaling.by_scale) {
    const auto value = published_fact(*result->runs.front(), name);
    texts.push_back(value ? figure(*value) : "-");
    any = any || value;
  }
  if (!any) return;
  table.columns.push_back({std::string(say(title, language)), Align::right});
  for (std::size_t row = 0; row < texts.size(); ++row) table.rows[row].push_back(texts[row]);
}

}  // namespace

void write_details(const ReportInput& input, const PrecisionGroup& group, std::ostream& out) {
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = {{title(Word::scale), Align::left},     {title(Word::batch), Align::right},
                   {title(Word::framework), Align::left}, {title(Word::throughput), Align::right},
                   {title(Word::interval), Align::right}, {title(Word::runs), Align::right},
                   {title(Word::average), Align::right},  {title(Word::median), Align::right},
                   {title(Word::speedup), Align::right},  {title(Word::step_time), Align::right},
                   {title(Word::memory), Align::right},   {title(Word::utilisation), Align::right},
                   {title(Word::energy), Align::right},   {title(Word::remarks), Align::left}};
  for (const Result* result : group.results)
    table.rows.push_back(detail_row(*result, input.language));
  out << "**" << title(Word::details) << "**: " << say(Word::details_note, input.language) << '\n';
  write_markdown(table, out);
}

void write_scaling(const ReportInput& input, const PrecisionGroup& group, std::ostream& out) {
  std::map<ScalingKey, Scaling> parts;
  for (const Result* result : group.results) {
    const Cell& cell = result->cell;
    if (!result->runs.empty())
      parts[{cell.framework, cell.batch, cell.accumulate}]
          .by_scale[{cell.scale.ranks(), cell.scale}] = result;
  }
  bool any = false;
  for (const auto& [key, scaling] : parts) {
    if (scaling.by_scale.size() < 2) continue;
    if (!std::exchange(any, true)) out << "**" << say(Word::scaling, input.language) << "**\n\n";
    const Result& first = *scaling.by_scale.begin()->second;
    out << say(Word::scaling_note, input.language, markdown_code(first.cell.framework),
               batch_text(first.cell, true), markdown_text(group.precision))
        << '\n';
    const Word counted = first.cell.device == "cuda" ? Word::device_count : Word::rank_count;
    Table table;
    table.columns = {{std::string(say(Word::node_count, input.language)), Align::right},
                     {std::string(say(counted, input.language)), Align::right},
                     {first.unit + "/s", Align::right},
                     {std::string(say(Word::speedup, input.language)), Align::right},
                     {std::string(say(Word::efficiency, input.language)), Align::right}};
    for (const auto& [scale, result] : scaling.by_scale)
      table.rows.push_back({std::to_string(scale.second.nodes), std::to_string(scale.first),
                            figure(result->throughput.median), ratio_text(result->speedup),
                            ratio_text(result->efficiency)});
    add_published(table, scaling, "seconds_to_train", Word::time_to_train, input.language);
    add_published(table, scaling, "accuracy", Word::accuracy, input.language);
    write_markdown(table, out);
  }
}

}  // namespace trainmark
