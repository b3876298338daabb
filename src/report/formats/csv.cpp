// One line per result, for spreadsheets and scripts. The columns are documented in docs/results.md
// and never change their meaning; new ones are added at the end.

#include <cmath>
#include <ostream>

#include "report/content/figures.h"
#include "report/content/quality_costs.h"
#include "report/content/sameness.h"
#include "report/writing/csv_fields.h"

namespace trainmark {

namespace {

constexpr const char* header =
    "workload,size,framework,precision,batch,accumulate,device,nodes,per_node,ranks,unit,status,"
    "throughput,low,high,average,median,relative_spread,runs,failed_runs,speedup,efficiency,"
    "step_seconds,peak_host_bytes,peak_device_bytes,verdicts,failure,reason,utilisation,joules_per_"
    "item,communication,exposed,ratio,ratio_low,ratio_high,ratio_base,proof,shapes,gpu_busy,cost_"
    "per_million,data,input,input_wait,input_cost,input_cost_low,input_cost_high,input_cores,"
    "quality_metric,quality_target,trainings,reached,time_to_quality,time_to_quality_low,time_to_"
    "quality_high,samples_to_quality,samples_to_quality_low,samples_to_quality_high,seconds_per_"
    "sample,seconds_per_sample_low,seconds_per_sample_high,evaluation_seconds,checkpoint_seconds,"
    "resumed_trainings\n";

/// Figures only where there are any: a zero would be taken for a measurement.
std::string figure_field(const Result& result, double value) {
  return result.runs.empty() ? "" : csv_field(value);
}

template <class Part>
std::optional<double> of_ratio(const Result& result, Part part) {
  return result.versus ? std::optional<double>(part(result.versus->ratio)) : std::nullopt;
}

std::string names(const Result& result) {
  std::string text;
  for (const Verdict& verdict : result.verdicts) text += (text.empty() ? "" : ";") + verdict.name;
  return text;
}

/// Empty where it is not known, as the end of an interval without one.
template <class Part>
std::optional<double> of_input(const Result& result, Part part) {
  if (!result.input_cost) return std::nullopt;
  const double value = part(*result.input_cost);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

template <class Part>
std::optional<double> of_costs(const Result& result, Part part) {
  if (!result.quality) return std::nullopt;
  return static_cast<double>(part(quality_costs(*result.quality)));
}

template <class Part>
std::optional<double> of_quality(const Result& result, Part part) {
  if (!result.quality) return std::nullopt;
  return static_cast<double>(part(*result.quality));
}

double mean_of(const Factor& factor) {
  return factor.mean;
}
double low_of(const Factor& factor) {
  return factor.interval.low;
}
double high_of(const Factor& factor) {
  return factor.interval.high;
}

/// Empty where it is not known, as the end of an interval without one.
std::optional<double> quality_figure(const Result& result, Factor TimeToQuality::*factor,
                                     double (*part)(const Factor&)) {
  if (!result.quality) return std::nullopt;
  const double value = part(result.quality->time.*factor);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// "classes=1000;sequence=512".
std::string shapes(const Cell& cell) {
  std::string text;
  for (const auto& [name, value] : cell.shapes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ";", name, shape_text(value));
  return text;
}

void write(const ReportInput& input, std::ostream& out) {
  out << header;
  const std::vector<Proof> proofs = newest(input.contents.proofs);
  for (const Result& result : input.results) {
    const Cell& cell = result.cell;
    const CellThroughput& throughput = result.throughput;
    const RunRecord* failed = result.failed.empty() ? nullptr : result.failed.front();
    csv_line(out, cell.workload, cell.size, cell.framework, cell.precision, cell.batch,
             cell.accumulate, cell.device, cell.scale.nodes, cell.scale.per_node,
             cell.scale.ranks(), result.unit, std::string(result.runs.empty() ? "failed" : "ok"),
             figure_field(result, throughput.value), figure_field(result, throughput.interval.low),
             figure_field(result, throughput.interval.high),
             figure_field(result, throughput.average), figure_field(result, throughput.median),
             figure_field(result, throughput.relative_spread), result.runs.size(),
             result.failed.size(), result.speedup, result.efficiency, step_seconds(result),
             peak_host_bytes(result), peak_device_bytes(result), names(result),
             failed ? failed->failure : std::string(), failed ? failed->reason : std::string(),
             result.utilisation, result.joules_per_item, result.communication, result.exposed,
             of_ratio(result, [](const PairedRatio& ratio) { return ratio.ratio; }),
             of_ratio(result, [](const PairedRatio& ratio) { return ratio.interval.low; }),
             of_ratio(result, [](const PairedRatio& ratio) { return ratio.interval.high; }),
             result.versus ? result.versus->base.framework : std::string(),
             std::string(state_name(sameness_of(proofs, result).state)), shapes(cell),
             result.gpu_busy, cost_of_million(result, input.options.price), cell.data, cell.input,
             result.input_wait, of_input(result, [](const InputCost& cost) { return cost.share; }),
             of_input(result, [](const InputCost& cost) { return cost.interval.low; }),
             of_input(result, [](const InputCost& cost) { return cost.interval.high; }),
             result.input_cost ? result.input_cost->cores : std::nullopt,
             result.quality ? result.quality->metric : std::string(),
             of_quality(result, [](const QualityResult& quality) { return quality.target; }),
             of_quality(result, [](const auto& quality) { return quality.time.trials; }),
             of_quality(result, [](const auto& quality) { return quality.time.reached; }),
             quality_figure(result, &TimeToQuality::seconds, &mean_of),
             quality_figure(result, &TimeToQuality::seconds, &low_of),
             quality_figure(result, &TimeToQuality::seconds, &high_of),
             quality_figure(result, &TimeToQuality::samples, &mean_of),
             quality_figure(result, &TimeToQuality::samples, &low_of),
             quality_figure(result, &TimeToQuality::samples, &high_of),
             quality_figure(result, &TimeToQuality::seconds_per_sample, &mean_of),
             quality_figure(result, &TimeToQuality::seconds_per_sample, &low_of),
             quality_figure(result, &TimeToQuality::seconds_per_sample, &high_of),
             of_costs(result, [](const QualityCosts& costs) { return costs.evaluation_seconds; }),
             of_costs(result, [](const QualityCosts& costs) { return costs.checkpoint_seconds; }),
             of_costs(result, [](const QualityCosts& costs) { return costs.resumed; }));
  }
}

const Registration<ReportFormat> registered("csv",
                                            {"one line per result, for spreadsheets", write});

}  // namespace

}  // namespace trainmark
