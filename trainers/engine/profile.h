#pragma once

#include <functional>
#include <string>

#include "engine/accelerator.h"

namespace trainmark::train {

/// Does a few more steps and writes what happened in them as a trace (Chrome's format, which
/// Perfetto shows as well): operators, kernels and copies with their times.
void profile(const std::string& path, Accelerator* accelerator, const std::function<void()>& step);

}  // namespace trainmark::train
