#pragma once

#include <torch/types.h>

#include "layer_check.h"

// Norms and what follows them, by LibTorch's operators.

namespace trainmark::train {

struct NormCase {
  std::string name;
  NormArguments::Activation activation = NormArguments::Activation::none;
  bool residual = false;
  bool per_image = false;
};

inline const std::vector<NormCase> norm_cases = {
    {"plain"},
    {"relu", NormArguments::Activation::relu},
    {"prelu", NormArguments::Activation::prelu},
    {"residual", NormArguments::Activation::none, true},
    {"residual relu", NormArguments::Activation::relu, true},
    {"per image", NormArguments::Activation::none, false, true},
    {"per image relu", NormArguments::Activation::relu, false, true},
    {"per image leaky relu", NormArguments::Activation::leaky_relu, false, true},
    {"per image residual", NormArguments::Activation::none, true, true},
};

/// The inputs of a layer: x, residual, weight, bias, slope; undefined where the case has none.
inline NormArguments norm_arguments_of(const NormCase& that, const Tensors& inputs) {
  NormArguments arguments{.x = inputs[0],
                          .weight = inputs[2],
                          .bias = inputs[3],
                          .residual = inputs[1],
                          .activation = that.activation,
                          .slope = inputs[4],
                          .leak = 0.2,
                          .per_image = that.per_image};
  if (!that.per_image) {
    arguments.running_mean = torch::zeros_like(inputs[2]).detach();
    arguments.running_variance = torch::ones_like(inputs[2]).detach();
  }
  return arguments;
}

/// The definition, in whatever type the inputs have.
inline at::Tensor plain_norm(const NormArguments& arguments) {
  at::Tensor y;
  if (arguments.per_image) {
    std::vector<at::Tensor> images;
    for (const at::Tensor& image : arguments.x.split(1)) {
      images.push_back(at::batch_norm(image, {}, {}, {}, {}, /*training=*/true, 0,
                                      arguments.epsilon, /*cudnn_enabled=*/false));
    }
    y = at::cat(images);
  } else {
    y = at::batch_norm(arguments.x, arguments.weight, arguments.bias, arguments.running_mean,
                       arguments.running_variance, /*training=*/true, arguments.momentum,
                       arguments.epsilon, /*cudnn_enabled=*/false);
  }
  if (arguments.residual.defined()) y = y + arguments.residual;
  switch (arguments.activation) {
    case NormArguments::Activation::none:
      return y;
    case NormArguments::Activation::relu:
      return y.relu();
    case NormArguments::Activation::prelu:
      return at::prelu(y, arguments.slope);
    case NormArguments::Activation::leaky_relu:
      return at::leaky_relu(y, arguments.leak);
  }
  return y;
}

/// x, residual, weight, bias, slope.
inline Tensors norm_inputs(const NormCase& that, at::IntArrayRef shape, at::TensorOptions options) {
  const auto floats = options.dtype(at::kFloat);
  const auto image = [&] {
    return (torch::randn(shape, options) * 2).contiguous(at::MemoryFormat::ChannelsLast);
  };
  const bool batch = !that.per_image;
  return {image() + 3, that.residual ? image() : at::Tensor(),
          batch ? torch::rand({shape[1]}, floats) + 0.5 : at::Tensor(),
          batch ? torch::randn({shape[1]}, floats) : at::Tensor(),
          that.activation == NormArguments::Activation::prelu ? torch::rand({shape[1]}, floats)
                                                              : at::Tensor()};
}

}  // namespace trainmark::train
