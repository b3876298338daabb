// All workloads in one table: a row each, the frameworks across.

#include <map>
#include <ostream>

#include "report/content/figures.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

/// Of each framework the fastest figure at the smallest scale of the precision.
std::map<std::string, const Result*> fastest_of(const PrecisionGroup& group) {
  std::map<std::string, const Result*> fastest;
  for (const Result* result : group.results) {
    if (result->runs.empty()) continue;
    const Result*& best = fastest[result->cell.framework];
    const bool better = best == nullptr || result->cell.scale.ranks() < best->cell.scale.ranks() ||
                        (result->cell.scale.ranks() == best->cell.scale.ranks() &&
                         result->throughput.value > best->throughput.value);
    if (better) best = result;
  }
  return fastest;
}

}  // namespace

void write_all_workloads(const ReportInput& input, const std::vector<WorkloadGroup>& groups,
                         std::ostream& out) {
  if (groups.size() < 2) return;
  Table table;
  table.columns.push_back({std::string(say(Word::workload, input.language)), Align::centre});
  std::map<std::string, std::size_t> columns;
  for (const WorkloadGroup& group : groups)
    for (const std::string& framework : group.frameworks)
      if (columns.try_emplace(framework, table.columns.size()).second)
        table.columns.push_back({framework, Align::centre});
  for (const WorkloadGroup& group : groups) {
    for (const PrecisionGroup& precision : group.precisions) {
      const auto fastest = fastest_of(precision);
      if (fastest.empty()) continue;
      std::vector<TableCell> row(table.columns.size(), TableCell("-"));
      row[0].text = group.title() + " " + precision.precision;
      for (const auto& [framework, result] : fastest) {
        row[columns.at(framework)].text = throughput_text(*result);
        if (result->cell.scale.ranks() > 1)
          row[columns.at(framework)].note = result->cell.scale.text();
      }
      table.rows.push_back(std::move(row));
    }
  }
  if (table.rows.empty()) return;
  out << "### " << say(Word::all_workloads, input.language) << "\n\n"
      << say(Word::all_workloads_note, input.language) << '\n';
  write_markdown(table, out);
}

}  // namespace trainmark
