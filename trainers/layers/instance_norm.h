#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// Each channel of each image, less its mean, divided by √(variance + 1e-5). No parameters.
at::Tensor instance_norm(const at::Tensor& x);

/// relu(instance_norm(x)). One walk over the memory where the device has a kernel for it.
at::Tensor instance_norm_relu(const at::Tensor& x);

/// leaky_relu(instance_norm(x)), `slope` below zero.
at::Tensor instance_norm_leaky_relu(const at::Tensor& x, double slope);

/// instance_norm(x) + residual: the end of a residual block.
at::Tensor instance_norm_add(const at::Tensor& x, const at::Tensor& residual);

/// Images with `border` more pixels on each side, mirrored at the edge, which is not repeated.
at::Tensor reflect(const at::Tensor& x, std::int64_t border);

}  // namespace trainmark::train
