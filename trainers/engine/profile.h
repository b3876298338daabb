#pragma once

#include <functional>
#include <string>

#include "engine/accelerator.h"
#include "engine/profile_summary.h"

namespace trainmark::train {

/// Does a few more steps and writes what happened in them as a trace (Chrome's format, which
/// Perfetto shows as well): operators, kernels and copies with their times. Beside it, in PATH.md,
/// goes what that amounts to. The facts need not say how many steps it was.
void profile(const std::string& path, Accelerator* accelerator, StepFacts facts,
             const std::function<void()>& step);

}  // namespace trainmark::train
