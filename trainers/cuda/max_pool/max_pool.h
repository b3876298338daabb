#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// The largest of 3×3 pixels, stride 2, padding 1, of a channels-last tensor whose channels are a
/// multiple of 8. Differentiable.
at::Tensor max_pool(const at::Tensor& x);

}  // namespace trainmark::train
