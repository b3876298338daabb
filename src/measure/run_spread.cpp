#include "measure/run_spread.h"

#include <cmath>

namespace trainmark {

RunSpread spread_of(std::span<const RunSummary> runs) {
  RunSpread spread;
  double squares = 0;
  for (const RunSummary& run : runs) {
    if (!(run.throughput.value > 0)) continue;
    spread.logs.push_back(-std::log(run.throughput.value));
    // Infinite where a run's own noise is not known: nothing is known of the mean then, either.
    const double half = std::log(run.throughput.interval.high / run.throughput.value);
    squares += half * half;
  }
  if (spread.logs.empty()) return spread;
  spread.mean = mean(spread.logs);
  spread.deviation = standard_deviation(spread.logs);
  spread.inner_half_width = std::sqrt(squares) / static_cast<double>(spread.logs.size());
  return spread;
}

}  // namespace trainmark
