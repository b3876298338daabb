// One row a log, below it the averages by job size where a folder was read, and what is to be said
// of the figures.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

#include "base/text.h"
#include "base/wrapped.h"
#include "logs/log_name.h"
#include "report/extraction/extraction.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

std::string number_text(const std::optional<int>& number) {
  return number ? std::to_string(*number) : "-";
}

/// Half the width of the interval in percent; "-" where it is not known.
std::string interval_text(const LogFigure& figure, bool unicode) {
  const double half = std::log(figure.interval.high / figure.throughput);
  if (!std::isfinite(half) || figure.interval.low <= 0) return "-";
  return half_width_text(half, unicode);
}

Table log_table(const Extraction& extraction, const ReportOptions& options) {
  Table table;
  table.columns = {{"log", Align::left, 90, 16},
                   {"dialect", Align::left, 70, 0},
                   {"confidence", Align::left, 45, 0},
                   {"GPUs", Align::right, 65, 0},
                   {"batch", Align::right, 60, 0},
                   {"precision", Align::left, 40, 0},
                   {"throughput", Align::right, 100, 0},
                   {options.unicode ? "± 95 %" : "+- 95 %", Align::right, 80, 0},
                   {"records", Align::right, 50, 0},
                   {"warnings", Align::left, 95, 12}};
  for (const LogFigure& figure : extraction.figures) {
    const bool known = figure.throughput > 0;
    table.rows.push_back(
        {figure.file, figure.dialect, text(figure.confidence), number_text(figure.gpus),
         number_text(figure.batch), figure.precision.empty() ? "-" : figure.precision,
         known ? fmt::format("{} {}", trainmark::figure(figure.throughput), figure.unit) : "-",
         known ? interval_text(figure, options.unicode) : "-",
         fmt::format("{}/{}", figure.used, figure.records),
         TableCell(verdict_names(figure, ", "), known ? Tone::doubtful : Tone::bad)});
  }
  return table;
}

Table case_table(const Extraction& extraction) {
  std::set<std::string> names;
  for (const ScalingCase& scaling : extraction.cases) names.insert(scaling.series);
  Table table;
  table.columns = {{"series", Align::left, 90, 16},   {"model", Align::left, 45, 10},
                   {"machine", Align::left, 42, 0},   {"batch", Align::right, 60, 0},
                   {"precision", Align::left, 40, 0}, {"scale", Align::left, 95, 0},
                   {"logs", Align::right, 50, 0},     {"average", Align::right, 80, 0},
                   {"median", Align::right, 100, 0},  {"unit", Align::left, 70, 0},
                   {"speed-up", Align::right, 85, 0}};
  const auto known = [](const std::string& text) { return text.empty() ? "-" : text; };
  for (const ScalingCase& scaling : extraction.cases) {
    table.rows.push_back(
        {shortest_name(scaling.series, names), scaling.model, known(scaling.machine),
         scaling.batch > 0 ? std::to_string(scaling.batch) : "-", known(scaling.precision),
         scaling.scale.text(), std::to_string(scaling.speeds.size()),
         fmt::format("{:.2f}", scaling.average), fmt::format("{:.2f}", scaling.median),
         scaling.unit, scaling.speedup ? fmt::format("{:.2f}", *scaling.speedup) : "-"});
  }
  return table;
}

/// A line below the tables: where, a name that is painted, and what is said. Long ones go on in the
/// next line.
void write_line(const std::string& where, const std::string& name, const std::string& said,
                const ReportOptions& options, std::ostream& out) {
  constexpr std::size_t indent = 2;
  const std::string file = printable(where, 500) + ": ";
  out << file << coloured(name, Tone::doubtful, options)
      << wrapped(name.empty() ? said : ": " + said, options.width, indent,
                 display_width(file) + display_width(name))
      << '\n';
}

void write_remarks(const Extraction& extraction, const ReportOptions& options, std::ostream& out) {
  for (const LogFigure& figure : extraction.figures) {
    for (const Verdict& verdict : figure.verdicts)
      write_line(figure.file, printable(verdict.name), printable(verdict.message, 1000), options,
                 out);
  }
}

/// What a log says besides its speed, one line each.
void write_quality(const Extraction& extraction, const ReportOptions& options, std::ostream& out) {
  for (const LogFigure& figure : extraction.figures) {
    std::vector<std::string> parts;
    if (!figure.quality.empty()) parts.push_back(quality_text(figure, ", "));
    if (figure.input_share >= 0)
      parts.push_back(
          fmt::format("waits for input {:.1f} % of the time", 100 * figure.input_share));
    if (figure.memory > 0) parts.push_back(fmt::format("memory {:.2f} GB", figure.memory / 1e9));
    if (figure.mfu > 0) {
      parts.push_back(fmt::format("MFU {:.1f} % as printed", 100 * figure.mfu));
      if (figure.mfu_recomputed > 0)
        parts.back() += fmt::format(", {:.1f} % recomputed", 100 * figure.mfu_recomputed);
    }
    if (!parts.empty())
      write_line(figure.file, "", printable(join(parts, "; "), 1000), options, out);
  }
}

void write(const Extraction& extraction, const ReportOptions& options, std::ostream& out) {
  write_terminal(log_table(extraction, options), options, out);
  if (extraction.folder) {
    out << '\n';
    write_terminal(case_table(extraction), options, out);
  }
  out << '\n';
  write_quality(extraction, options, out);
  write_remarks(extraction, options, out);
  if (extraction.passed_over.empty()) return;
  out << passed_over_text(extraction.passed_over)
      << (extraction.list_passed_over ? "\n" : " (--passed-over lists them)\n");
  if (!extraction.list_passed_over) return;
  for (const PassedOver& other : extraction.passed_over)
    out << "  " << printable(other.file, 500) << ": " << printable(other.why, 500) << '\n';
}

const Registration<ExtractionFormat> registered("table", {"for the terminal", write});

}  // namespace

std::string verdict_names(const LogFigure& figure, std::string_view between) {
  std::vector<std::string> names;
  for (const Verdict& verdict : figure.verdicts)
    if (std::find(names.begin(), names.end(), verdict.name) == names.end())
      names.push_back(verdict.name);
  return join(names, between);
}

std::string quality_text(const LogFigure& figure, std::string_view between) {
  std::vector<std::string> values;
  for (const auto& [name, value] : figure.quality)
    values.push_back(fmt::format("{} {:.6g}", name, value));
  return join(values, between);
}

}  // namespace trainmark
