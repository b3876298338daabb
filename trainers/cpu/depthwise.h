#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// A 3×3 convolution of each channel for itself, of a channels-last image, padded by the dilation
/// so that it keeps its size. oneDNN has no fast one with dilation.
at::Tensor cpu_depthwise(const at::Tensor& x, const at::Tensor& weight, std::int64_t dilation);

}  // namespace trainmark::train
