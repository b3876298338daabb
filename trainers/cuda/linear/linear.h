#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// x Wᵀ + b with a quick gradient of the bias. All have the type of the weight.
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace trainmark::train
