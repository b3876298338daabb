#pragma once

#include <span>
#include <vector>

#include "measure/run_summary.h"

namespace trainmark {

/// How runs of one cell scatter, on the scale of log seconds per item, where a percent is a percent
/// in either direction.
struct RunSpread {
  std::vector<double> logs;  // one per run that has a figure
  double mean = 0;
  /// Between runs; 0 for fewer than two.
  double deviation = 0;
  /// Half of the 95 % interval of the mean as the noise inside the runs alone would have it: no
  /// interval of ours is narrower, however well the runs happen to agree.
  double inner_half_width = 0;

  std::size_t size() const { return logs.size(); }
};

RunSpread spread_of(std::span<const RunSummary> runs);

}  // namespace trainmark
