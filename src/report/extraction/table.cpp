// One row a log, below it the averages by job size where a folder was read, and what is to be said
// of the figures.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "base/text.h"
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
  return fmt::format("{}{:.2g} %", unicode ? "±" : "+-", 100 * half);
}

Table log_table(const Extraction& extraction, const ReportOptions& options) {
  Table table;
  table.columns = {{"log", Align::left, 90, 16},
                   {"dialect", Align::left, 70, 0},
                   {"GPUs", Align::right, 65, 0},
                   {"batch", Align::right, 60, 0},
                   {"precision", Align::left, 40, 0},
                   {"throughput", Align::right, 100, 0},
                   {options.unicode ? "± 95 %" : "+- 95 %", Align::right, 80, 0},
                   {"records", Align::right, 50, 0},
                   {"remarks", Align::left, 95, 12}};
  for (const LogFigure& figure : extraction.figures) {
    const bool known = figure.throughput > 0;
    table.rows.push_back(
        {figure.file, figure.dialect, number_text(figure.gpus), number_text(figure.batch),
         figure.precision.empty() ? "-" : figure.precision,
         known ? fmt::format("{} {}", trainmark::figure(figure.throughput), figure.unit) : "-",
         known ? interval_text(figure, options.unicode) : "-",
         fmt::format("{}/{}", figure.used, figure.records),
         TableCell(verdict_names(figure, ", "), known ? Tone::doubtful : Tone::bad)});
  }
  return table;
}

Table case_table(const Extraction& extraction) {
  Table table;
  table.columns = {{"model", Align::left, 90, 10},    {"batch", Align::right, 60, 0},
                   {"precision", Align::left, 40, 0}, {"scale", Align::left, 95, 0},
                   {"logs", Align::right, 50, 0},     {"average", Align::right, 80, 0},
                   {"median", Align::right, 100, 0},  {"unit", Align::left, 70, 0},
                   {"speed-up", Align::right, 85, 0}};
  for (const ScalingCase& scaling : extraction.cases) {
    table.rows.push_back({scaling.model, scaling.batch > 0 ? std::to_string(scaling.batch) : "-",
                          scaling.precision.empty() ? "-" : scaling.precision, scaling.scale.text(),
                          std::to_string(scaling.speeds.size()),
                          fmt::format("{:.2f}", scaling.average),
                          fmt::format("{:.2f}", scaling.median), scaling.unit,
                          scaling.speedup ? fmt::format("{:.2f}", *scaling.speedup) : "-"});
  }
  return table;
}

void write_remarks(const Extraction& extraction, const ReportOptions& options, std::ostream& out) {
  for (const LogFigure& figure : extraction.figures) {
    for (const Verdict& verdict : figure.verdicts) {
      out << printable(figure.file, 500) << ": "
          << coloured(printable(verdict.name), Tone::doubtful, options) << ": "
          << printable(verdict.message, 1000) << '\n';
    }
  }
}

void write(const Extraction& extraction, const ReportOptions& options, std::ostream& out) {
  write_terminal(log_table(extraction, options), options, out);
  if (extraction.folder) {
    out << '\n';
    write_terminal(case_table(extraction), options, out);
  }
  out << '\n';
  write_remarks(extraction, options, out);
  if (!extraction.passed_over.empty())
    out << extraction.passed_over.size() << " files were passed over (--format json says why)\n";
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

}  // namespace trainmark
