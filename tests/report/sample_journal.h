#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "report/content/report.h"

namespace trainmark {

/// Builds journals in memory, so that reports are tested without a disk or a trainer.
class SampleJournal {
 public:
  static Cell cell(const std::string& workload, const std::string& framework, int batch = 16,
                   const std::string& scale = "1n1g", const std::string& precision = "fp32",
                   const std::string& device = "cuda") {
    Cell cell;
    cell.workload = workload;
    cell.size = "full";
    cell.framework = framework;
    cell.precision = precision;
    cell.batch = batch;
    cell.device = device;
    cell.scale = Scale::parse(scale).value();
    return cell;
  }

  static RunSummary summary(double throughput, double items_per_step = 16) {
    RunSummary summary;
    summary.steps = 150;
    summary.warmup = 50;
    summary.used = 100;
    summary.throughput.items = items_per_step * 100;
    summary.throughput.seconds = summary.throughput.items / throughput;
    summary.throughput.value = throughput;
    summary.throughput.relative_error = 0.001;
    summary.throughput.interval = {throughput * 0.998, throughput * 1.002};
    summary.mean_of_rates = throughput;
    summary.median_of_rates = throughput;
    summary.step_median = items_per_step / throughput;
    summary.step_low = summary.step_median * 0.99;
    summary.step_high = summary.step_median * 1.01;
    summary.step_max = summary.step_median * 1.1;
    summary.first_loss = 7.0;
    summary.last_loss = 6.5;
    summary.stopped = "interval";
    summary.converged = true;
    return summary;
  }

  static RunRecord run(const Cell& cell, double throughput, int round = 1) {
    RunRecord run;
    run.id = fmt::format("{}-{}-r{}", cell.workload, cell.framework_name(), round);
    run.cell = cell;
    run.round = round;
    run.ok = true;
    run.started = "2021-03-12T08:00:00Z";
    run.seconds = 12.5;
    run.environment = "machine-a";
    run.command = {"trainmark-train", "--workload", cell.workload};
    run.variables = {{"RANK", "0"}};
    run.seed = 1;
    run.folder = "runs/" + run.id;
    run.unit = "images";
    run.trainer = {{"framework", cell.framework_name()},
                   {"batch", cell.batch},
                   {"precision", cell.precision},
                   {"parameters", 25557032},
                   {"versions", {{cell.framework_name(), "2.0"}}},
                   {"math", {{"memory_format", "channels_last"}}}};
    run.rule = "adaptive interval=0.005";
    run.summary = summary(throughput, cell.batch * cell.scale.ranks());
    run.peak_host_bytes = 2.0 * 1024 * 1024 * 1024;
    return run;
  }

  /// Three good runs a little apart from each other; the median is `throughput`.
  SampleJournal& good(const Cell& cell, double throughput) {
    int round = 0;
    for (const double share : {0.999, 1.0, 1.002})
      contents.runs.push_back(run(cell, throughput * share, ++round));
    return *this;
  }

  SampleJournal& failed(const Cell& cell, const std::string& failure, const std::string& reason,
                        int round = 1) {
    RunRecord record = run(cell, 1, round);
    record.ok = false;
    record.failure = failure;
    record.reason = reason;
    record.summary = {};
    contents.runs.push_back(record);
    return *this;
  }

  SampleJournal& suite(const std::string& name, const std::string& text) {
    contents.suites.push_back({.name = name,
                               .title = "Sample",
                               .text = text,
                               .overrides = {},
                               .cells = 2,
                               .rounds = 3,
                               .started = "2021-03-12T08:00:00Z",
                               .trainmark = "0.1.0 (abcdef)"});
    return *this;
  }

  /// The journal as a report of the format shows it.
  std::string report(const std::string& format, Language language = Language::en,
                     const ReportOptions& options = {}) const {
    const ReportFormat* kind = Registry<ReportFormat>::find(format);
    if (!kind) throw std::logic_error("no format " + format);
    const std::vector<Result> results = results_of(contents);
    std::ostringstream out;
    kind->write({contents, results, language, options}, out);
    return out.str();
  }

  JournalContents contents;
};

}  // namespace trainmark
