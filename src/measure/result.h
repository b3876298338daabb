#pragma once

#include <span>
#include <vector>

#include "base/verdict.h"
#include "measure/run_summary.h"

namespace trainmark {

/// What a cell's runs add up to.
struct CellThroughput {
  double value = 0;            // items ÷ time, every run weighing the same
  Interval interval;           // 95 %, the spread between runs included
  double average = 0;          // mean of the runs' throughputs (DLPerf's average_speed)
  double median = 0;           // their median (DLPerf's median_speed, and the base of speed-ups)
  double relative_spread = 0;  // standard deviation between runs ÷ mean
  /// The interval knows only the noise inside the one run there is.
  bool single_run = false;
};

CellThroughput combine_runs(std::span<const RunSummary> runs);

/// What the runs tell of each other: single-run, first-run-slower, runs-disagree.
Verdicts check_runs(std::span<const RunSummary> runs);

}  // namespace trainmark
