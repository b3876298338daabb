#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// PReLU of a channels-last image, a slope per channel. LibTorch's backward pass writes the slopes'
/// gradient of every pixel before it adds them up.
at::Tensor cpu_prelu(const at::Tensor& x, const at::Tensor& slope);

}  // namespace trainmark::train
