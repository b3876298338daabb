#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// A convolution in fp32. Of few pixels under many filters, oneDNN's convolutions use a tenth to a
/// half of the machine, its matrix products all of it: there, 1×1 convolutions and the gradients of
/// all weights are products.
Summed cpu_convolution(const at::Tensor& x, const ConvolutionArguments& arguments);

}  // namespace trainmark::train
