#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/step.h"
#include "measure/window.h"

namespace trainmark {

/// Where the warm-up ends: the longest suffix whose level agrees with that of its own second half;
/// at most half of the steps are cut. Where even that half does not agree, `window` is empty and
/// `more_steps` says about how many more are needed.
struct SteadyState {
  Window window;
  std::size_t more_steps = 0;
};

SteadyState find_steady_state(std::span<const Step> steps);

}  // namespace trainmark
