#include <cmath>
#include <nlohmann/json.hpp>

#include "measure/run_summary.h"

// JSON has no infinity and no NaN: both are written as null.

namespace trainmark {

namespace {

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json to_json(const Throughput& throughput) {
  return {{"items", number(throughput.items)},
          {"seconds", number(throughput.seconds)},
          {"value", number(throughput.value)},
          {"relative_error", number(throughput.relative_error)},
          {"interval",
           {{"low", number(throughput.interval.low)}, {"high", number(throughput.interval.high)}}}};
}

}  // namespace

void to_json(nlohmann::json& json, const RunSummary& summary) {
  json = {{"steps", summary.steps},
          {"warmup", summary.warmup},
          {"used", summary.used},
          {"throughput", to_json(summary.throughput)},
          {"mean_of_rates", number(summary.mean_of_rates)},
          {"median_of_rates", number(summary.median_of_rates)},
          {"step_median", number(summary.step_median)},
          {"step_low", number(summary.step_low)},
          {"step_high", number(summary.step_high)},
          {"step_max", number(summary.step_max)},
          {"stopped", summary.stopped},
          {"converged", summary.converged}};
  if (summary.first_loss) json["first_loss"] = number(*summary.first_loss);
  if (summary.last_loss) json["last_loss"] = number(*summary.last_loss);
}

}  // namespace trainmark
