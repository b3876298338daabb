#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// relu(norm(x) + norm(z)) of two batch norms with weights and biases, for two readers.
/// Differentiable.
Fork two_norms_add_relu(const NormArguments& x, const NormArguments& z);

}  // namespace trainmark::train
