#include "journal/input_cost.h"

#include "base/json_fields.h"
#include "measure/comparison.h"

namespace trainmark {

namespace {

/// As many as the pipeline had threads or processes to work with.
std::optional<double> workers_of(const Result& pipeline) {
  for (const RunRecord* run : pipeline.runs) {
    const nlohmann::json* data = json_field(run->trainer, "data");
    const auto workers = data == nullptr ? std::nullopt : json_number(*data, "workers");
    if (workers && *workers >= 1) return workers;
  }
  return std::nullopt;
}

}  // namespace

std::optional<InputCost> input_cost_of(const Result& both, const Result& step,
                                       const Result* pipeline, const TurnRatios& turns) {
  const std::optional<PairedRatio> paired = turns.ratio(both.cell, step.cell);
  double ratio = 0;
  Interval interval;
  if (paired) {
    ratio = paired->ratio;
    interval = paired->interval;
  } else {
    const Comparison comparison = compare_runs(summaries(step), summaries(both));
    ratio = comparison.ratio;
    interval = comparison.interval;
  }
  if (!(ratio > 0)) return std::nullopt;
  InputCost cost{.share = 1 - ratio,
                 .interval = {1 - interval.high, 1 - interval.low},
                 .by_turns = paired.has_value(),
                 .pipeline = {},
                 .cores = {}};
  if (pipeline == nullptr || !(pipeline->throughput.value > 0)) return cost;
  cost.pipeline = pipeline->throughput.value;
  if (const auto workers = workers_of(*pipeline))
    cost.cores = *workers * step.throughput.value / *cost.pipeline;
  return cost;
}

}  // namespace trainmark
