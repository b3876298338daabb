#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// norm(x + dropout(y)) over the last dimension, which is a multiple of 8 and at most 2048.
/// Differentiable.
at::Tensor add_norm(const AddNormArguments& arguments);

}  // namespace trainmark::train
