#pragma once

#include <span>
#include <vector>

#include "base/step.h"
#include "measure/window.h"

namespace trainmark {

/// Where the warm-up ends: the longest suffix whose level agrees with that of its own second half;
/// at most half of the steps are cut. Where even that half does not agree, `window` is empty and
/// `more_steps` says about how many more are needed.
struct SteadyState {
  Window window;
  std::size_t more_steps = 0;
  /// The second half of the run still moves, but by less than 1 % between its own halves: good for
  /// a figure with a remark, no reason to stop.
  bool drifting = false;
};

SteadyState find_steady_state(std::span<const Step> steps);

/// Seconds an item of every step, gaps included: what steadiness, outliers and drift are judged by,
/// so that steps of varying length (text) can be compared. Scaled to a step of mean length.
std::vector<double> comparable_seconds(std::span<const Step> steps);

}  // namespace trainmark
