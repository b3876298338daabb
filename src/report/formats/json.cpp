// Everything, for programs. Described by docs/schema/report.schema.json.

#include <cmath>
#include <ostream>

#include "report/content/figures.h"
#include "report/content/quality.h"
#include "report/content/result_json.h"
#include "report/content/sameness.h"
#include "report/content/scaling.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json equivalence_json(const std::vector<Result>& results) {
  Json list = Json::array();
  for (const Equivalence& pair : equivalences(results)) {
    const auto known = [](double value) {
      return std::isfinite(value) ? Json(value) : Json(nullptr);
    };
    list.push_back({{"base", pair.base->cell.key()},
                    {"cell", pair.other->cell.key()},
                    {"samples_ratio", known(pair.samples.ratio)},
                    {"low", known(pair.samples.interval.low)},
                    {"high", known(pair.samples.interval.high)},
                    {"answer", samples_answer(pair.samples.answer, Language::en)}});
  }
  return list;
}

void write(const ReportInput& input, std::ostream& out) {
  Json suites = Json::array(), skipped = Json::array();
  for (const SuiteRecord& suite : input.contents.suites)
    suites.push_back(bare_record(to_record(suite)));
  for (const SkipRecord* skip : skipped_cells(input))
    skipped.push_back(bare_record(to_record(*skip)));
  out << "{\n\"schema\": " << schema_version << ",\n\"suites\": " << json_text(suites)
      << ",\n\"environments\": " << json_text(input.contents.environments)
      << ",\n\"skipped\": " << json_text(skipped)
      << ",\n\"scaling\": " << json_text(scaling_of(input.results))
      << ",\n\"equivalence\": " << json_text(equivalence_json(input.results))
      << ",\n\"damage\": " << json_text(input.contents.damage) << ",\n\"results\": [";
  const std::vector<Proof> proofs = newest(input.contents.proofs);
  // One at a time, a line each: a journal may hold ten thousand.
  const char* between = "\n";
  for (const Result& result : input.results) {
    Json json = result_json(result, true);
    json["proof"] = state_name(sameness_of(proofs, result).state);
    if (const auto cost = cost_of_million(result, input.options.price))
      json["cost_per_million"] = *cost;
    out << between << json_text(json);
    between = ",\n";
  }
  out << "\n]\n}\n";
}

const Registration<ReportFormat> registered("json", {"everything, for programs", write});

}  // namespace

}  // namespace trainmark
