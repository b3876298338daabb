#pragma once

#include <cmath>
#include <initializer_list>
#include <vector>

#include "measure/run_summary.h"

namespace trainmark {

/// A run with this throughput and a 95 % interval of ± `half_width`, nothing else.
inline RunSummary run_with(double value, double half_width = 0.001) {
  RunSummary run;
  run.used = 100;
  run.throughput.value = value;
  run.throughput.relative_error = half_width / 2;
  run.throughput.interval = {value * std::exp(-half_width), value * std::exp(half_width)};
  run.converged = true;
  return run;
}

inline std::vector<RunSummary> runs_with(std::initializer_list<double> values,
                                         double half_width = 0.001) {
  std::vector<RunSummary> runs;
  for (const double value : values) runs.push_back(run_with(value, half_width));
  return runs;
}

}  // namespace trainmark
