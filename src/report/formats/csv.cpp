// One line a result, for spreadsheets and scripts. The columns are documented in docs/results.md
// and never change their meaning; new ones are added at the end.

#include <ostream>

#include "report/content/figures.h"
#include "report/content/sameness.h"
#include "report/writing/csv_fields.h"

namespace trainmark {

namespace {

constexpr const char* header =
    "workload,size,framework,precision,batch,accumulate,device,nodes,per_node,ranks,unit,status,"
    "throughput,low,high,average,median,relative_spread,runs,failed_runs,speedup,efficiency,"
    "step_seconds,peak_host_bytes,peak_device_bytes,verdicts,failure,reason,utilisation,joules_per_"
    "item,communication,exposed,ratio,ratio_low,ratio_high,ratio_base,proof,shapes,gpu_busy,cost_"
    "per_million,data,input,input_wait,input_cost,input_cost_low,input_cost_high,input_cores\n";

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

template <class Part>
std::optional<double> of_input(const Result& result, Part part) {
  return result.input_cost ? std::optional<double>(part(*result.input_cost)) : std::nullopt;
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
             result.input_cost ? result.input_cost->cores : std::nullopt);
  }
}

const Registration<ReportFormat> registered("csv",
                                            {"one line per result, for spreadsheets", write});

}  // namespace

}  // namespace trainmark
