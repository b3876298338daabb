#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// Reflection padding of a channels-last tensor whose channels are a multiple of 8. Differentiable.
at::Tensor reflect(const at::Tensor& x, std::int64_t border);

}  // namespace trainmark::train
