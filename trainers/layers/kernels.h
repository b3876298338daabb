#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// Batch norm in training, or instance norm, with what follows it, of a channels-last tensor. What
/// is optional may be undefined.
struct NormArguments {
  enum class Activation { None, Relu, Prelu, LeakyRelu };

  at::Tensor x;
  at::Tensor weight = {};        // optional: 1
  at::Tensor bias = {};          // optional: 0
  at::Tensor running_mean = {};  // optional, with the variance
  at::Tensor running_variance = {};
  at::Tensor residual = {};  // optional; not with a slope
  Activation activation = Activation::None;
  at::Tensor slope = {};   // of PReLU
  double leak = 0;         // of leaky ReLU
  bool per_image = false;  // instance norm
  double momentum = 0.1;
  double epsilon = 1e-5;
};

/// norm(x + dropout(y)), the end of a sub-layer of a transformer; dropout 0: none.
struct AddNormArguments {
  at::Tensor x;
  at::Tensor y;
  at::Tensor weight = {};
  at::Tensor bias = {};
  double dropout = 0;
  double epsilon = 1e-5;
};

/// Layers that a device has a kernel of its own for; null where LibTorch's operators do.
struct Kernels {
  at::Tensor (*batch_norm)(const NormArguments&) = nullptr;
  at::Tensor (*add_norm)(const AddNormArguments&) = nullptr;
  at::Tensor (*reflect)(const at::Tensor& x, std::int64_t border) = nullptr;
};

/// Of the device in use; all null until an accelerator was opened.
const Kernels& kernels();
void use_kernels(const Kernels& kernels);

/// Are there kernels for the images of this tensor? They read 16 bytes of channels at a time.
bool has_image_kernels(const at::Tensor& x);

}  // namespace trainmark::train
