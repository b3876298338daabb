// Comparisons for programs. Described by docs/schema/report.schema.json.

#include <cmath>
#include <ostream>

#include "report/comparison/comparison.h"
#include "report/content/result_json.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json known_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// The ratio is new ÷ base: below 1, less is needed.
Json factor_json(const FactorComparison& factor) {
  return {{"ratio", known_or_null(factor.ratio)},
          {"low", known_or_null(factor.interval.low)},
          {"high", known_or_null(factor.interval.high)},
          {"answer", text(factor.answer)}};
}

Json quality_json(const QualityComparison& quality) {
  return {{"seconds", factor_json(quality.seconds)},
          {"samples", factor_json(quality.samples)},
          {"seconds_per_sample", factor_json(quality.seconds_per_sample)}};
}

Json compared(const ComparedCell& cell) {
  const Comparison& comparison = cell.comparison;
  Json json = {{"key", cell.base.cell.key()},
               {"base", result_json(cell.base, false)},
               {"new", result_json(cell.next, false)},
               {"answer", text(comparison.answer)},
               {"ratio", comparison.ratio > 0 ? Json(comparison.ratio) : Json(nullptr)},
               {"low", comparison.interval.low},
               {"high", comparison.interval.high}};
  if (cell.quality) json["quality"] = quality_json(*cell.quality);
  if (comparison.answer == Answer::unclear) {
    json["more_rounds"] = comparison.more_rounds;
    json["why"] = comparison.why;
  }
  return json;
}

Json gate_json(const ComparisonInput& input) {
  Json list = Json::array();
  for (const GateReason& reason : input.gate)
    list.push_back({{"key", reason.key}, {"why", gate_text(reason, Language::en)}});
  return list;
}

void write(const ComparisonInput& input, std::ostream& out) {
  Json cells = Json::array();
  for (const ComparedCell& cell : input.cells) cells.push_back(compared(cell));
  const Json json = {{"schema", schema_version},
                     {"base", input.base_name},
                     {"new", input.next_name},
                     {"summary", counts_json(input)},
                     {"comparisons", cells},
                     {"only_base", keys_json(input.only_base)},
                     {"only_new", keys_json(input.only_next)},
                     {"gate", gate_json(input)}};
  out << json_text(json, 1) << '\n';
}

const Registration<ComparisonFormat> registered("json", {"everything, for programs", write});

}  // namespace

Json keys_json(const std::vector<Result>& results) {
  Json list = Json::array();
  for (const Result& result : results) list.push_back(result.cell.key());
  return list;
}

Json counts_json(const ComparisonInput& input) {
  const AnswerCounts counts = count_answers(input);
  return {{"faster", counts.faster},
          {"slower", counts.slower},
          {"same", counts.same},
          {"unclear", counts.unclear},
          {"missing", input.only_base.size()}};
}

}  // namespace trainmark
