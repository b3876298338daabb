#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// As Kernels::fold. Not differentiable.
at::Tensor fold_pixels(const at::Tensor& image, const FoldArguments& arguments);

}  // namespace trainmark::train
