#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/step.h"
#include "measure/statistics.h"

namespace trainmark {

/// The steps that count: [first, last) of a run. Empty where none can be trusted yet.
struct Window {
  std::size_t first = 0;
  std::size_t last = 0;

  std::size_t size() const { return last > first ? last - first : 0; }
};

/// Seconds each step took, gaps included: the difference of end times, and the step's own duration
/// for the first one.
double step_interval(std::span<const Step> steps, std::size_t index);

/// Items ÷ elapsed time over a window, never the mean of the steps' rates, with its 95 % interval.
struct Throughput {
  double items = 0;
  double seconds = 0;
  double value = 0;           // items ÷ seconds; 0 for an empty window
  double relative_error = 0;  // standard error ÷ value; infinite where it cannot be known yet
  Interval interval;
};

/// Steps are correlated, so the error comes from t on the means of batches of neighbouring steps.
/// The interval is never wider than the rates of the steps themselves: of a few, t knows so little
/// that it would allow a thousandfold.
Throughput throughput(std::span<const Step> steps, Window window);

/// Half of an interval as a share of the figure, the wider half: the one number that stands behind
/// "±" wherever it is shown. Infinite where nothing is known.
double half_width(double value, const Interval& interval);
inline double half_width(const Throughput& throughput) {
  return half_width(throughput.value, throughput.interval);
}

}  // namespace trainmark
