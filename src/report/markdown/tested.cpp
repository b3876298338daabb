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
  for (const WorkloadGroup& group : groups)
    out << "- " << markdown_text(group.title()) << " (" << markdown_code(group.unit + "/s")
        << ")\n";
  out << '\n';
}

/// Which batch each framework was given: they differ, since memory does.
Table batch_table(const ReportInput& input, const std::vector<WorkloadGroup>& groups) {
  Table table;
  table.columns.push_back({std::string(say(Word::parameters, input.language)), Align::centre});
  std::map<std::string, std::size_t> columns;
  for (const WorkloadGroup& group : groups) {
    for (const std::string& framework : group.frameworks)
      if (columns.try_emplace(framework, table.columns.size()).second)
        table.columns.push_back({framework, Align::centre});
  }
  for (const WorkloadGroup& group : groups) {
    for (const PrecisionGroup& precision : group.precisions) {
      std::map<std::string, std::set<int>> batches;
      for (const Result* result : precision.results)
        batches[result->cell.framework].insert(result->cell.batch);
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
  for (const Result& result : input.results) {
    scales.emplace(result.cell.scale.ranks(), result.cell.scale);
    precisions.insert(markdown_text(result.cell.precision));
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
