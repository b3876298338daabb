#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// x Wᵀ + b with a quick gradient of the bias, where it needs one. All have the type of the weight.
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

/// The same with an activation behind it, whose gradient and that of the bias are one pass.
at::Tensor linear_activation(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                             Activation activation);

}  // namespace trainmark::train
