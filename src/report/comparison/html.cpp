// Comparisons as one page for browsers.

#include <cmath>
#include <ostream>

#include "report/comparison/comparison.h"
#include "report/content/change_text.h"
#include "report/content/figures.h"
#include "report/content/result_json.h"
#include "report/html/data.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json known(double value) {
  return std::isfinite(value) && value > 0 ? Json(value) : Json(nullptr);
}

Json compared(const ComparedCell& cell) {
  const Comparison& comparison = cell.comparison;
  return {{"key", cell.base.cell.key()},
          {"base", compared_text(cell, cell.base)},
          {"next", compared_text(cell, cell.next)},
          {"base_runs", cell.base.runs.size()},
          {"next_runs", cell.next.runs.size()},
          {"ratio", known(comparison.ratio)},
          {"low", known(comparison.interval.low)},
          {"high", known(comparison.interval.high)},
          {"change", change_text(comparison.ratio, true)},
          {"interval", change_interval_text(comparison, true)},
          {"answer", text(comparison.answer)},
          {"more_rounds", comparison.more_rounds},
          {"why", comparison.why}};
}

/// The table of factors, a list of texts per row, in both languages.
Json factors_view(const ComparisonInput& input) {
  Json view = Json::object();
  for (const auto& [name, language] :
       {std::pair("en", Language::en), std::pair("zh", Language::zh)}) {
    ComparisonInput spoken = input;
    spoken.language = language;
    const Table table = factor_table(spoken);
    Json head = Json::array(), rows = Json::array();
    for (const Column& column : table.columns) head.push_back(column.title);
    for (const auto& row : table.rows) {
      Json& texts = rows.emplace_back(Json::array());
      for (const TableCell& cell : row) texts.push_back(cell.text);
    }
    view[name] = {{"head", std::move(head)}, {"rows", std::move(rows)}};
  }
  return view;
}

Json gate_view(const ComparisonInput& input) {
  Json list = Json::array();
  for (const GateReason& reason : input.gate)
    list.push_back(
        {{"key", reason.key},
         {"why",
          {{"en", gate_text(reason, Language::en)}, {"zh", gate_text(reason, Language::zh)}}}});
  return list;
}

void write(const ComparisonInput& input, std::ostream& out) {
  Json cells = Json::array();
  for (const ComparedCell& cell : input.cells) cells.push_back(compared(cell));
  const Json view = {{"base", input.base_name},
                     {"next", input.next_name},
                     {"same", input.same},
                     {"counts", counts_json(input)},
                     {"cells", std::move(cells)},
                     {"factors", factors_view(input)},
                     {"only_base", keys_json(input.only_base)},
                     {"only_next", keys_json(input.only_next)},
                     {"gate", gate_view(input)},
                     {"differences", html_differences(input.environments)}};
  write_html_view("comparison", view,
                  say(Word::comparison_title, input.language, input.base_name, input.next_name),
                  input.language, out);
}

const Registration<ComparisonFormat> registered("html", {"one page for browsers", write});

}  // namespace

}  // namespace trainmark
