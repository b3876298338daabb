// Histories for programs. Described by docs/schema/report.schema.json.

#include <ostream>

#include "report/content/result_json.h"
#include "report/history/history.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json point_json(const HistoryInput& input, const CellHistory& cell, std::size_t place) {
  const Result& result = *cell.results[place];
  return {{"journal", input.journals[cell.journals[place]].name},
          {"value", result.throughput.value},
          {"low", result.throughput.interval.low},
          {"high", result.throughput.interval.high},
          {"runs", result.runs.size()}};
}

Json cell_json(const HistoryInput& input, const CellHistory& cell) {
  Json points = Json::array(), parts = Json::array(), changes = Json::array();
  for (std::size_t i = 0; i < cell.results.size(); ++i)
    points.push_back(point_json(input, cell, i));
  for (const HistoryPart& part : cell.changes.parts)
    parts.push_back({{"first", part.first},
                     {"end", part.end},
                     {"value", throughput_of(part.mean)},
                     {"low", throughput_of(part.band.high)},
                     {"high", throughput_of(part.band.low)}});
  for (const ChangePoint& change : cell.changes.changes)
    changes.push_back({{"at", change.at},
                       {"journal", input.journals[cell.journals[change.at]].name},
                       {"ratio", change.ratio},
                       {"low", change.interval.low},
                       {"high", change.interval.high}});
  return {{"key", cell.cell.key()},
          {"unit", cell.unit},
          {"points", std::move(points)},
          {"parts", std::move(parts)},
          {"changes", std::move(changes)}};
}

void write(const HistoryInput& input, std::ostream& out) {
  Json cells = Json::array();
  for (const CellHistory& cell : input.cells) cells.push_back(cell_json(input, cell));
  const Json json = {{"schema", schema_version},
                     {"false_alarm", input.limits.false_alarm},
                     {"same", input.limits.same},
                     {"journals", journals_json(input)},
                     {"cells", std::move(cells)}};
  out << json_text(json, 1) << '\n';
}

const Registration<HistoryFormat> registered("json", {"everything, for programs", write});

}  // namespace

Json journals_json(const HistoryInput& input) {
  Json journals = Json::array();
  for (const HistoryJournal& journal : input.journals)
    journals.push_back(
        {{"name", journal.name}, {"started", journal.started}, {"trainmark", journal.trainmark}});
  return journals;
}

}  // namespace trainmark
