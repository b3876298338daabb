#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/step.h"

namespace trainmark {

/// Step times, thinned: of each bucket of neighbouring steps the shortest and the longest, so that
/// no stall is lost. With buckets of one step, `high` is empty: it would say the same.
struct StepTrace {
  std::size_t steps = 0;
  std::size_t bucket = 1;  // steps in each; the last may hold fewer
  std::vector<double> low, high;
};

StepTrace thin_steps(std::span<const double> seconds, std::size_t most_buckets);

/// Losses where they were told, thinned evenly; the first and the last are kept.
struct LossTrace {
  std::vector<std::size_t> at;  // the step's place in the run
  std::vector<double> losses;   // may be NaN
};

LossTrace thin_losses(std::span<const Step> steps, std::size_t most);

/// How often step times lie where. The few longest are in `beyond`, so that one stall does not
/// press all others into one bar.
struct Histogram {
  double from = 0;
  double width = 0;
  std::vector<std::size_t> counts;
  std::size_t beyond = 0;
  double longest = 0;
};

Histogram histogram(std::span<const double> seconds);

/// What each step took, gaps between steps included.
std::vector<double> step_intervals(std::span<const Step> steps);

}  // namespace trainmark
