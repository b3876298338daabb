#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// Batch or instance norm in training, with what follows it, of a channels-last tensor whose
/// channels are a multiple of 8. Differentiable.
at::Tensor batch_norm(const NormArguments& arguments);

/// The same for two readers: the gradients that come back from them are added where they are read.
Fork batch_norm_fork(const NormArguments& arguments);

/// The norm without an activation as the branch, and its input as the shortcut around it: the
/// gradient that comes back from the shortcut is added to that of the input.
Fork batch_norm_around(const NormArguments& arguments);

}  // namespace trainmark::train
