#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// Batch norm in training with what follows it, of a channels-last tensor.
struct NormArguments {
  at::Tensor x;
  at::Tensor weight;
  at::Tensor bias;
  at::Tensor running_mean;
  at::Tensor running_variance;
  at::Tensor residual;  // undefined: none
  bool relu = true;
  double momentum = 0.1;
  double epsilon = 1e-5;
};

/// Layers that a device has a kernel of its own for; null where LibTorch's operators do.
struct Kernels {
  at::Tensor (*batch_norm)(const NormArguments&) = nullptr;
};

/// Of the device in use; all null until an accelerator was opened.
const Kernels& kernels();
void use_kernels(const Kernels& kernels);

}  // namespace trainmark::train
