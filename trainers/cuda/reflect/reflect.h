#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// Reflection padding of a channels-last tensor whose channels are a multiple of 8, as the branch,
/// and the tensor itself as the shortcut: the gradient that comes back from the shortcut is added
/// to that of the tensor. Differentiable.
Fork reflect(const at::Tensor& x, std::int64_t border);

}  // namespace trainmark::train
