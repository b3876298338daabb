#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// Bilinear resizing to `size`, corners not aligned, with a gradient that is gathered instead of
/// scattered. Differentiable.
at::Tensor stretch(const at::Tensor& x, at::IntArrayRef size);

}  // namespace trainmark::train
