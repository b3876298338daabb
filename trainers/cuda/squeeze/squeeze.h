#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

at::Tensor squeeze_add_relu(const SqueezeArguments& arguments);

}  // namespace trainmark::train
