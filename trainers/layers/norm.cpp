#include "layers/norm.h"

#include <ATen/ops/prelu.h>

#include "layers/kernels.h"

namespace trainmark::train {
namespace {

bool has_kernel(const torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return norm->is_training() && has_image_kernels(x);
}

/// What the kernel needs of a layer, without what follows it.
NormArguments arguments_of(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return {.x = x,
          .weight = norm->weight,
          .bias = norm->bias,
          .running_mean = norm->running_mean,
          .running_variance = norm->running_var,
          .momentum = *norm->options.momentum(),
          .epsilon = norm->options.eps()};
}

}  // namespace

at::Tensor normalize(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return has_kernel(norm, x) ? kernels().batch_norm(arguments_of(norm, x)) : norm(x);
}

at::Tensor norm_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  if (!has_kernel(norm, x)) return norm(x).relu_();
  NormArguments arguments = arguments_of(norm, x);
  arguments.activation = NormArguments::Activation::Relu;
  return kernels().batch_norm(arguments);
}

at::Tensor norm_prelu(torch::nn::BatchNorm2d& norm, torch::nn::PReLU& prelu, const at::Tensor& x) {
  if (has_kernel(norm, x)) {
    NormArguments arguments = arguments_of(norm, x);
    arguments.activation = NormArguments::Activation::Prelu;
    arguments.slope = prelu->weight;
    return kernels().batch_norm(arguments);
  }
  const at::Tensor y = norm(x);
  return at::prelu(y, prelu->weight.to(y.scalar_type()));
}

at::Tensor norm_add(torch::nn::BatchNorm2d& norm, const at::Tensor& x, const at::Tensor& residual) {
  if (!has_kernel(norm, x)) return norm(x).add_(residual);
  NormArguments arguments = arguments_of(norm, x);
  arguments.residual = residual;
  return kernels().batch_norm(arguments);
}

at::Tensor norm_add_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x,
                         const at::Tensor& residual) {
  if (!has_kernel(norm, x)) return norm(x).add_(residual).relu_();
  NormArguments arguments = arguments_of(norm, x);
  arguments.residual = residual;
  arguments.activation = NormArguments::Activation::Relu;
  return kernels().batch_norm(arguments);
}

}  // namespace trainmark::train
