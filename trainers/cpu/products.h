#pragma once

#include <string>

#include "kernels/kernels.h"

namespace trainmark::train {

/// x weightᵀ + bias (may be undefined) by oneDNN, in fp32.
at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

/// What replaces LibTorch's operators on this CPU. LibTorch leaves products in fp32 to MKL, which
/// uses half of what an AMD core can do; oneDNN does better there. A trial of both decides.
Kernels cpu_kernels(const std::string& precision);

}  // namespace trainmark::train
