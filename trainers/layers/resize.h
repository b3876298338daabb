#pragma once

#include <ATen/core/Tensor.h>

#include "layers/context.h"

namespace trainmark::train {

// Images in another size.

/// The largest of 3×3 pixels, around every second one.
class MaxPool {
 public:
  explicit MaxPool(const TrainingContext& context) : kernels_(context.kernels) {}

  at::Tensor operator()(const at::Tensor& x) const;

 private:
  Kernels kernels_;
};

/// Bilinear, corners not aligned.
class Stretch {
 public:
  explicit Stretch(const TrainingContext& context) : kernels_(context.kernels) {}

  at::Tensor operator()(const at::Tensor& x, at::IntArrayRef size) const;

 private:
  Kernels kernels_;
};

}  // namespace trainmark::train
