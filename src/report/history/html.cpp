// Histories as one page for browsers.

#include <cmath>
#include <ostream>

#include "report/content/figures.h"
#include "report/content/result_json.h"
#include "report/history/history.h"
#include "report/html/data.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json known(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json cell_page(const HistoryInput& input, const CellHistory& cell) {
  Json points = Json::array(), parts = Json::array(), changes = Json::array();
  for (std::size_t i = 0; i < cell.results.size(); ++i)
    points.push_back({{"x", cell.journals[i]},
                      {"y", cell.results[i]->throughput.value},
                      {"text", throughput_text(*cell.results[i]) + " " +
                                   interval_text(*cell.results[i], true)}});
  for (const HistoryPart& part : cell.changes.parts)
    parts.push_back({{"from", cell.journals[part.first]},
                     {"to", cell.journals[part.end - 1]},
                     {"mean", throughput_of(part.mean)},
                     {"low", known(throughput_of(part.band.high))},
                     {"high", known(throughput_of(part.band.low))}});
  for (const ChangePoint& change : cell.changes.changes)
    changes.push_back({{"before", cell.journals[change.at - 1]},
                       {"at", cell.journals[change.at]},
                       {"ratio", change.ratio},
                       {"text", change_point_text(input, cell, change, true)}});
  return {{"key", cell.cell.key()},
          {"unit", cell.unit},
          {"newest", throughput_text(*cell.results.back())},
          {"points", std::move(points)},
          {"parts", std::move(parts)},
          {"changes", std::move(changes)}};
}

void write(const HistoryInput& input, std::ostream& out) {
  Json cells = Json::array();
  for (const CellHistory& cell : input.cells) cells.push_back(cell_page(input, cell));
  const Json view = {{"journals", journals_json(input)},
                     {"cells", std::move(cells)},
                     {"false_alarm", input.limits.false_alarm},
                     {"same", input.limits.same},
                     {"fewest", fewest_for_change},
                     {"differences", html_differences(input.environments)}};
  write_html_view("history", view, std::string(say(Word::history_title, input.language)),
                  input.language, out);
}

const Registration<HistoryFormat> registered("html", {"one page for browsers", write});

}  // namespace

}  // namespace trainmark
