#include "journal/foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/time.h"
#include "base/verdict_names.h"
#include "logs/log_name.h"

namespace trainmark {

namespace {

constexpr const char* no_environment = "foreign";
constexpr const char* foreign_size = "foreign";

Cell cell_of(const LogFigure& figure) {
  Cell cell;
  cell.workload = figure.model.empty() ? figure.dialect : figure.model;
  cell.size = foreign_size;
  cell.framework = "log:" + figure.dialect;
  cell.precision = unknown_word;
  cell.batch = unknown_batch;
  cell.device = figure.gpus ? "cuda" : unknown_word;
  complete_cell(cell, figure, {});
  return cell;
}

RunSummary summary_of(const LogFigure& figure) {
  RunSummary summary;
  summary.steps = figure.records;
  summary.warmup = figure.first_used;
  summary.used = figure.used;
  summary.throughput.value = figure.throughput;
  const bool known = std::isfinite(figure.interval.high) && figure.interval.low > 0;
  summary.throughput.interval =
      known ? figure.interval : Interval{0, std::numeric_limits<double>::infinity()};
  summary.throughput.relative_error = std::numeric_limits<double>::infinity();
  summary.mean_of_rates = figure.mean;
  summary.median_of_rates = figure.median;
  summary.stopped = "ended";
  return summary;
}

/// Verdicts of the log, and first the one that marks the figure as not measured here.
Verdicts verdicts_of(const LogFigure& figure) {
  Verdicts verdicts = {
      {verdicts::foreign, fmt::format("not measured by Trainmark: read from {} ({}, {})",
                                      figure.file, figure.dialect, figure.method)}};
  verdicts.insert(verdicts.end(), figure.verdicts.begin(), figure.verdicts.end());
  return verdicts;
}

RunRecord record_of(const LogFigure& figure) {
  RunRecord run;
  run.cell = cell_of(figure);
  run.ok = true;
  run.started = utc_now();
  run.unit = unit_of(figure);
  run.rule = "extract " + figure.method;
  run.summary = summary_of(figure);
  run.trainer = {{"foreign", true}, {"log", nlohmann::json(figure)}};
  run.verdicts = verdicts_of(figure);
  settle_unknown(run.cell, run.verdicts);
  return run;
}

/// What makes two figures of logs the same one, wherever the file lies; empty for measured runs.
std::string identity_of(const RunRecord& run) {
  const nlohmann::json* log = json_field(run.trainer, "log");
  if (log == nullptr || !run.rule.starts_with("extract ")) return "";
  nlohmann::json read = *log;
  read.erase("file");
  return read.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Logs become runs of one cell only where their names say that they are runs of the same thing.
/// What else looks alike keeps a cell of its own, named after its log.
class CellSeries {
 public:
  CellSeries(const std::vector<RunRecord>& before, const std::vector<LogFigure>& figures) {
    for (const RunRecord& run : before) {
      const nlohmann::json* log = json_field(run.trainer, "log");
      const nlohmann::json* file = log == nullptr ? nullptr : json_field(*log, "file");
      if (file != nullptr && file->is_string() && run.cell.size == foreign_size)
        note(run.cell, file->get<std::string>());
    }
    for (const LogFigure& figure : figures)
      if (figure.throughput > 0) note(cell_of(figure), figure.file);
  }

  void tell_apart(Cell& cell, const std::string& file) const {
    const auto found = series_.find(key_of(cell));
    if (found == series_.end() || found->second.size() < 2) return;
    cell.size = plain_name(shortest_name(series_of(file), found->second));
  }

 private:
  static std::string series_of(const std::string& file) {
    const LogName name = read_log_name(file);
    return name.is_run ? name.series : file;
  }

  /// Sizes become parts of keys, which are split at '/'.
  static std::string plain_name(std::string name) {
    for (char& letter : name)
      if (letter == '/' || static_cast<unsigned char>(letter) <= ' ') letter = '-';
    return printable(name, 64);
  }

  static std::string key_of(Cell cell) {
    if (cell.batch == unknown_batch) cell.batch = 1;
    return cell.key();
  }

  void note(const Cell& cell, const std::string& file) {
    series_[key_of(cell)].insert(series_of(file));
  }

  std::map<std::string, std::set<std::string>> series_;  // by cell
};

}  // namespace

void complete_cell(Cell& cell, const LogFigure& figure,
                   const std::map<std::string, std::string>& said) {
  if (!said.contains("precision") && !figure.precision.empty()) cell.precision = figure.precision;
  if (!said.contains("batch") && figure.batch) cell.batch = *figure.batch;
  const int nodes = said.contains("nodes") ? cell.scale.nodes : figure.nodes.value_or(1);
  const int gpus = said.contains("gpus") ? cell.scale.ranks() : figure.gpus.value_or(nodes);
  cell.scale = {nodes, std::max(1, gpus / nodes)};
}

void settle_unknown(Cell& cell, Verdicts& verdicts) {
  if (cell.batch != unknown_batch) return;
  cell.batch = 1;
  const bool told = std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) {
    return verdict.name == verdicts::batch_unknown;
  });
  if (!told) verdicts.push_back({verdicts::batch_unknown, "batch size unknown, assuming 1"});
}

std::string unit_of(const LogFigure& figure) {
  return figure.unit.ends_with("/s") ? figure.unit.substr(0, figure.unit.size() - 2) : figure.unit;
}

AddedFigures add_foreign_runs(const std::filesystem::path& folder,
                              const std::vector<LogFigure>& figures) {
  UnmeasuredRuns runs(folder, {.name = "extract",
                               .title = "Figures read from the logs of other programs",
                               .environment = no_environment,
                               .identity = identity_of});
  const CellSeries series(runs.before().runs, figures);
  for (const LogFigure& figure : figures) {
    if (!(figure.throughput > 0)) continue;
    RunRecord run = record_of(figure);
    series.tell_apart(run.cell, figure.file);
    runs.add(std::move(run));
  }
  return runs.write();
}

}  // namespace trainmark
