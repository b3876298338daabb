#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// As at::convolution, without bias. In half precision cuDNN sums its output for the norm that
/// follows, in the same kernel, where it can. Differentiable.
Summed convolution(const at::Tensor& x, const ConvolutionArguments& arguments);

/// The same of x = relu(norm(c)). On the way back, the sums that the norm needs of its gradient are
/// taken by the kernel that computes it.
Summed norm_relu_convolution(const NormArguments& norm, const ConvolutionArguments& arguments);

}  // namespace trainmark::train
