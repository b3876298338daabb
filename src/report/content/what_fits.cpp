#include "report/content/what_fits.h"

#include <algorithm>
#include <map>

#include "report/content/figures.h"

namespace trainmark {

namespace {

std::string found_text(const BatchRecord& record) {
  if (record.searched.empty()) return std::to_string(record.cell.batch);
  const auto found = record.cell.shapes.find(record.searched);
  return found == record.cell.shapes.end() ? "-" : shape_text(found->second);
}

/// The size without the number that was found, which has a column of its own.
std::string other_sizes(const BatchRecord& record) {
  Cell cell = record.cell;
  cell.shapes.erase(record.searched);
  return cell.size_text();
}

}  // namespace

Table what_fits(const ReportInput& input) {
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = {
      {title(Word::workload), Align::left, 100, 0},   {title(Word::size), Align::left, 70, 0},
      {title(Word::framework), Align::left, 90, 0},   {title(Word::precision), Align::left, 80, 0},
      {title(Word::scale), Align::left, 75, 0},       {title(Word::searched), Align::left, 95, 0},
      {title(Word::fits), Align::right, 100, 0},      {title(Word::trials), Align::right, 40, 0},
      {title(Word::throughput), Align::right, 85, 0}, {title(Word::memory), Align::right, 60, 0}};
  std::map<Cell, const Result*> measured;
  for (const Result& result : input.results) measured[result.cell] = &result;
  for (const BatchRecord& record : input.contents.batches) {
    if (record.at_most == record.cell.batch) continue;  // it got what it wanted
    const auto found = measured.find(record.cell);
    const Result* result = found == measured.end() ? nullptr : found->second;
    table.rows.push_back({record.cell.workload, other_sizes(record), record.cell.framework,
                          record.cell.precision, record.cell.scale.text(),
                          record.searched.empty() ? "batch" : record.searched, found_text(record),
                          std::to_string(record.trials),
                          result == nullptr      ? title(Word::not_confirmed)
                          : result->runs.empty() ? failure_text(*result, input.language)
                                                 : throughput_text(*result),
                          result == nullptr ? "-" : memory_text(*result)});
  }
  return table;
}

}  // namespace trainmark
