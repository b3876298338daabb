#pragma once

#include <torch/nn/modules/batchnorm.h>

namespace trainmark::train {

// Batch norm and what follows it: one walk over the memory where the device has a kernel for it.

at::Tensor norm_only(torch::nn::BatchNorm2d& norm, const at::Tensor& x);

/// relu(norm(x)).
at::Tensor norm_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x);

/// relu(norm(x) + residual): the end of a residual block.
at::Tensor norm_add_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x,
                         const at::Tensor& residual);

}  // namespace trainmark::train
