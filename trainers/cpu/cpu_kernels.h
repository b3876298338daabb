#pragma once

#include <string>

#include "kernels/kernels.h"

namespace trainmark::train {

/// What replaces LibTorch's operators on a CPU. All of it is for fp32.
Kernels cpu_kernels(const std::string& precision);

}  // namespace trainmark::train
