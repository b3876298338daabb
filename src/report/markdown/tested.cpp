// What was tested: the figure, the workloads, and the dimensions.

#include <map>
#include <ostream>
#include <set>

#include "base/text.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

void write_workloads(const ReportInput& input, const std::vector<WorkloadGroup>& groups,
                     std::ostream& out) {
  out << say(Word::tested_workloads, input.language) << "\n\n";
  for (const WorkloadGroup& group : groups) {
    out << "- " << markdown_text(group.title());
    if (!group.unit.empty()) out << in_brackets(markdown_code(group.unit + "/s"), input.language);
    out << '\n';
  }
  out << '\n';
}

/// What was measured. Of a table that waits for another machine: what was to be.
std::vector<const Cell*> cells_of(const ReportInput& input, const PrecisionGroup& precision) {
  std::vector<const Cell*> cells;
  for (const Result* result : precision.results) cells.push_back(&result->cell);
  if (input.results.empty())
    for (const SkipRecord* skip : precision.skipped) cells.push_back(&skip->cell);
  return cells;
}

/// Which batch each framework was given: they differ, since memory does.
Table batch_table(const ReportInput& input, const std::vector<WorkloadGroup>& groups) {
  Table table;
  table.columns.push_back({std::string(say(Word::parameters, input.language)), Align::centre});
  std::map<std::string, std::size_t> columns;
  for (const WorkloadGroup& group : groups) {
    for (const PrecisionGroup& precision : group.precisions)
      for (const Cell* cell : cells_of(input, precision))
        if (columns.try_emplace(cell->framework, table.columns.size()).second)
          table.columns.push_back({cell->framework, Align::centre});
  }
  for (const WorkloadGroup& group : groups) {
    for (const PrecisionGroup& precision : group.precisions) {
      std::map<std::string, std::set<int>> batches;
      for (const Cell* cell : cells_of(input, precision))
        batches[cell->framework].insert(cell->batch);
      std::vector<TableCell> row(table.columns.size(), TableCell("-"));
      row[0].text = group.title() + " " + precision.precision;
      for (const auto& [framework, values] : batches) {
        std::vector<std::string> texts;
        for (const int value : values) texts.push_back(std::to_string(value));
        row[columns.at(framework)].text = join(texts, ", ");
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

void write_tested(const ReportInput& input, const std::vector<WorkloadGroup>& groups,
                  std::ostream& out) {
  const Language language = input.language;
  out << "## " << say(Word::tested_heading, language) << "\n\n"
      << say(Word::tested_metric, language) << "\n\n";
  if (groups.empty()) {
    out << say(Word::no_results, language) << "\n\n";
    return;
  }
  write_workloads(input, groups, out);
  std::set<std::pair<int, Scale>> scales;
  std::set<std::string> precisions;
  for (const WorkloadGroup& group : groups) {
    for (const PrecisionGroup& precision : group.precisions) {
      for (const Cell* cell : cells_of(input, precision)) {
        scales.emplace(cell->scale.ranks(), cell->scale);
        precisions.insert(markdown_text(cell->precision));
      }
    }
  }
  std::vector<std::string> scale_texts;
  for (const auto& [ranks, scale] : scales) scale_texts.push_back(scale.text());

  const auto dimension = [&](Word name, const std::string& text) {
    out << "- **" << say(name, language) << "**\n\n  " << text << "\n\n";
  };
  out << say(Word::tested_dimensions, language) << "\n\n";
  dimension(Word::dimension_devices,
            say(Word::dimension_devices_text, language, join(scale_texts, ", ")));
  dimension(Word::dimension_precision, say(Word::dimension_precision_text, language,
                                           join({precisions.begin(), precisions.end()}, ", ")));
  dimension(Word::dimension_batch, std::string(say(Word::dimension_batch_text, language)));
  write_markdown(batch_table(input, groups), out);
}

}  // namespace trainmark
