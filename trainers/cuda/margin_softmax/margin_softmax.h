#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// The loss of ArcFace from directions and the vectors of all classes. Differentiable.
at::Tensor margin_softmax(const MarginSoftmaxArguments& arguments);

}  // namespace trainmark::train
