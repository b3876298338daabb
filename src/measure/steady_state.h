#pragma once

#include <span>
#include <vector>

#include "base/step.h"
#include "measure/window.h"

namespace trainmark {

/// Fewer steps tell nothing of a warm-up, and give no figure.
inline constexpr std::size_t fewest_steps = 6;

/// Where the warm-up ends: the longest suffix whose level agrees with that of its own second half,
/// with a margin, since a warm-up fades below what can be seen; at most half of the steps are cut.
/// Where even that half does not agree, `window` is empty and `more_steps` says about how many more
/// are needed.
struct SteadyState {
  Window window;
  std::size_t more_steps = 0;
  /// There was no room for the margin, or the second half of the run still moves, though it does
  /// not become more than 5 % faster: good for a figure if it must be, no reason to stop.
  bool unsettled = false;
};

SteadyState find_steady_state(std::span<const Step> steps);

/// Seconds per item of every step, gaps included: what steadiness, outliers and drift are judged
/// by, so that steps of varying length (text) can be compared. Scaled to a step of mean length.
std::vector<double> comparable_seconds(std::span<const Step> steps);

}  // namespace trainmark
