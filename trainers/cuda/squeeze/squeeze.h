#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// See SqueezeArguments. The two results are the same tensor for two readers: the gradients that
/// come back from them are added where they are read. Differentiable.
Fork squeeze_add_relu(const SqueezeArguments& arguments);

}  // namespace trainmark::train
