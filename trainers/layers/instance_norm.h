#pragma once

#include <ATen/core/Tensor.h>

#include "layers/context.h"

namespace trainmark::train {

/// Each channel of each image, less its mean, divided by √(variance + 1e-5). No parameters.
class InstanceNorm {
 public:
  explicit InstanceNorm(const TrainingContext& context) : kernels_(context.kernels) {}

  at::Tensor operator()(const at::Tensor& x) const;

  const Kernels& kernels() const { return kernels_; }

 private:
  Kernels kernels_;
};

// Instance norm and what follows it: one walk over the memory where the device has a kernel for it.

/// relu(norm(x)).
at::Tensor norm_relu(const InstanceNorm& norm, const at::Tensor& x);

/// leaky_relu(norm(x)), `slope` below zero.
at::Tensor norm_leaky_relu(const InstanceNorm& norm, const at::Tensor& x, double slope);

/// norm(x) + residual: the end of a residual block.
at::Tensor norm_add(const InstanceNorm& norm, const at::Tensor& x, const at::Tensor& residual);

/// Images with `border` more pixels on each side, mirrored at the edge, which is not repeated.
class Reflect {
 public:
  Reflect(const TrainingContext& context, std::int64_t border)
      : kernels_(context.kernels), border_(border) {}

  at::Tensor operator()(const at::Tensor& x) const { return fork(x).branch; }

  /// The same for a branch that begins with it, and x for the shortcut around the branch.
  Fork fork(const at::Tensor& x) const;

 private:
  Kernels kernels_;
  std::int64_t border_;
};

}  // namespace trainmark::train
