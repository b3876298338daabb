// One line a result, for spreadsheets and scripts. The columns are documented in docs/results.md
// and never change their meaning; new ones are added at the end.

#include <charconv>
#include <cmath>
#include <ostream>

#include "report/figures.h"
#include "report/safe_text.h"

namespace trainmark {

namespace {

constexpr const char* header =
    "workload,size,framework,precision,batch,accumulate,device,nodes,per_node,ranks,unit,status,"
    "throughput,low,high,average,median,relative_spread,runs,failed_runs,speedup,efficiency,"
    "step_seconds,peak_host_bytes,peak_device_bytes,verdicts,failure,reason,utilisation,joules_per_"
    "item\n";

bool is_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end;
}

/// A text of others as a field. A spreadsheet takes some first letters for a formula, which could
/// run programs: such a text gets an apostrophe in front.
std::string field(const std::string& raw) {
  std::string text = safe_text(raw, "\n\r\t");
  if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos &&
      !is_number(text))
    text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

/// The shortest digits that read back as the same number; empty where there is none.
std::string field(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}
std::string field(const std::optional<double>& value) {
  return value ? field(*value) : "";
}
std::string field(int value) {
  return std::to_string(value);
}
std::string field(std::size_t value) {
  return std::to_string(value);
}

/// Figures only where there are any: a zero would be taken for a measurement.
std::string figure_field(const Result& result, double value) {
  return result.runs.empty() ? "" : field(value);
}

std::string names(const Result& result) {
  std::string text;
  for (const Verdict& verdict : result.verdicts) text += (text.empty() ? "" : ";") + verdict.name;
  return text;
}

template <class... Fields>
void line(std::ostream& out, const Fields&... fields) {
  const char* between = "";
  ((out << between << field(fields), between = ","), ...);
  out << '\n';
}

void write(const ReportInput& input, std::ostream& out) {
  out << header;
  for (const Result& result : input.results) {
    const Cell& cell = result.cell;
    const CellThroughput& throughput = result.throughput;
    const RunRecord* failed = result.failed.empty() ? nullptr : result.failed.front();
    line(out, cell.workload, cell.size, cell.framework, cell.precision, cell.batch, cell.accumulate,
         cell.device, cell.scale.nodes, cell.scale.per_node, cell.scale.ranks(), result.unit,
         std::string(result.runs.empty() ? "failed" : "ok"), figure_field(result, throughput.value),
         figure_field(result, throughput.interval.low),
         figure_field(result, throughput.interval.high), figure_field(result, throughput.average),
         figure_field(result, throughput.median), figure_field(result, throughput.relative_spread),
         result.runs.size(), result.failed.size(), result.speedup, result.efficiency,
         step_seconds(result), peak_host_bytes(result), peak_device_bytes(result), names(result),
         failed ? failed->failure : std::string(), failed ? failed->reason : std::string(),
         result.utilisation, result.joules_per_item);
  }
}

const Registration<ReportFormat> registered("csv", {"one line a result, for spreadsheets", write});

}  // namespace

}  // namespace trainmark
