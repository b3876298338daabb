#include "report/content/result_json.h"

#include <cmath>

#include "report/content/figures.h"
#include "report/content/quality_costs.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json optional(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Null stands for what is not known: infinite ends, and means of trainings that missed the target.
Json factor_json(const Factor& factor) {
  const auto known = [](double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
  };
  return {{"value", known(factor.mean)},
          {"low", known(factor.interval.low)},
          {"high", known(factor.interval.high)}};
}

Json quality_json(const QualityResult& quality) {
  const QualityCosts costs = quality_costs(quality);
  return {{"metric", quality.metric},
          {"better", quality.higher_is_better ? "higher" : "lower"},
          {"target", quality.target},
          {"trials", quality.time.trials},
          {"reached", quality.time.reached},
          {"seconds", factor_json(quality.time.seconds)},
          {"samples", factor_json(quality.time.samples)},
          {"seconds_per_sample", factor_json(quality.time.seconds_per_sample)},
          {"evaluation_seconds", costs.evaluation_seconds},
          {"checkpoint_seconds", costs.checkpoint_seconds},
          {"resumed", costs.resumed}};
}

Json records(const std::vector<const RunRecord*>& runs) {
  Json list = Json::array();
  for (const RunRecord* run : runs) list.push_back(bare_record(to_record(*run)));
  return list;
}

}  // namespace

Json bare_record(Json record) {
  record.erase("schema");
  record.erase("type");
  return record;
}

Json result_json(const Result& result, bool with_runs) {
  const bool any = !result.runs.empty();
  const CellThroughput& throughput = result.throughput;
  Json json = {{"cell", result.cell},
               {"key", result.cell.key()},
               {"unit", result.unit},
               {"status", any ? "ok" : "failed"},
               {"throughput", nullptr},
               {"speedup", optional(result.speedup)},
               {"efficiency", optional(result.efficiency)},
               {"step_seconds", optional(step_seconds(result))},
               {"peak_host_bytes", optional(peak_host_bytes(result))},
               {"peak_device_bytes", optional(peak_device_bytes(result))},
               {"utilisation", optional(result.utilisation)},
               {"joules_per_item", optional(result.joules_per_item)},
               {"gpu_busy", optional(result.gpu_busy)},
               {"communication", optional(result.communication)},
               {"exposed", optional(result.exposed)},
               {"input_wait", optional(result.input_wait)},
               {"verdicts", result.verdicts}};
  if (any)
    json["throughput"] = {
        {"value", throughput.value},          {"low", throughput.interval.low},
        {"high", throughput.interval.high},   {"average", throughput.average},
        {"median", throughput.median},        {"relative_spread", throughput.relative_spread},
        {"single_run", throughput.single_run}};
  if (result.quality) json["quality"] = quality_json(*result.quality);
  if (result.versus) {
    const PairedRatio& ratio = result.versus->ratio;
    json["versus"] = {{"base", result.versus->base.key()},
                      {"ratio", ratio.ratio},
                      {"low", ratio.interval.low},
                      {"high", ratio.interval.high},
                      {"blocks", ratio.blocks}};
  }
  if (result.input_cost) {
    const InputCost& cost = *result.input_cost;
    json["input_cost"] = {{"share", cost.share},
                          {"low", cost.interval.low},
                          {"high", cost.interval.high},
                          {"by_turns", cost.by_turns},
                          {"pipeline", optional(cost.pipeline)},
                          {"cores", optional(cost.cores)}};
  }
  if (with_runs) {
    json["runs"] = records(result.runs);
    json["failed"] = records(result.failed);
  }
  return json;
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace trainmark
