#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// norm(x + dropout(y)) over the last dimension, which is a multiple of 8 and at most 2048, for two
/// readers, whose gradients the backward pass adds up itself. Differentiable.
Fork add_norm(const AddNormArguments& arguments);

}  // namespace trainmark::train
