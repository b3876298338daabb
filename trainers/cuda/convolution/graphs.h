#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <compare>
#include <cstdint>

#include "kernels/kernels.h"

// Convolutions with what stands beside them, as one kernel of cuDNN's: its graphs. Which of cuDNN's
// plans for a graph is the fastest is measured once, when the shapes are first seen.

namespace trainmark::train {

/// A convolution of channels-last tensors, without bias and groups.
struct ConvolutionProblem {
  at::ScalarType type = at::kHalf;
  std::array<std::int64_t, 4> x = {};       // images, channels, height, width
  std::array<std::int64_t, 4> weight = {};  // channels out, channels in, height, width
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;

  std::array<std::int64_t, 4> y() const;

  friend auto operator<=>(const ConvolutionProblem&, const ConvolutionProblem&) = default;
};

/// Has cuDNN a kernel for the next function, and for the one after it?
bool can_convolve_with_sums(const ConvolutionProblem& problem);
bool can_sum_norm_gradient(const ConvolutionProblem& problem);

/// x ∗ weight with its sums.
Summed convolve_with_sums(const ConvolutionProblem& problem, const at::Tensor& x,
                          const at::Tensor& weight);

/// What made the x of a convolution: x = relu(norm(c)).
struct NormBefore {
  at::Tensor c;
  at::Tensor moments;  // [2, channels]: mean and inverse deviation
  at::Tensor weight;
  at::Tensor bias;
};

/// The gradient of norm(c), which is that of x where x is above zero and else 0, from the gradient
/// of x ∗ weight. Its sums: of each channel, and of each channel × normalised c.
Summed norm_gradient_with_sums(const ConvolutionProblem& problem, const at::Tensor& dy,
                               const at::Tensor& weight, const NormBefore& norm);

}  // namespace trainmark::train
