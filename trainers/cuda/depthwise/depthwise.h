#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// A 3×3 filter for each channel of a channels-last tensor, padded by its dilation. The channels
/// are a multiple of 8 and weights [channels, 1, 3, 3] have the type of x. Differentiable.
at::Tensor depthwise(const at::Tensor& x, const at::Tensor& weight, std::int64_t dilation);

}  // namespace trainmark::train
