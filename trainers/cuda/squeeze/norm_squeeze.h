#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// squeeze_add_relu of y = norm(x), a batch norm with weight and bias, as one differentiable
/// function: y is never written.
Fork norm_squeeze_add_relu(const NormArguments& norm, const SqueezeArguments& squeeze);

}  // namespace trainmark::train
