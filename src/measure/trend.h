#pragma once

#include <span>

namespace trainmark {

/// A straight line through the step times of a window.
struct Trend {
  double change = 0;         // over the whole window, share of the mean
  bool significant = false;  // far beyond what noise would give
};

Trend find_trend(std::span<const double> seconds);

}  // namespace trainmark
