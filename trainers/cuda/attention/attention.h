#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// Multi-head attention over at most 128 tokens with heads of 64, in half precision.
/// Differentiable.
at::Tensor attention(const AttentionArguments& arguments);

}  // namespace trainmark::train
