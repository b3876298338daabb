#include "layers/norm.h"

#include <ATen/ops/prelu.h>

#include "layers/kernels.h"

namespace trainmark::train {
namespace {

/// The kernels read 16 bytes of channels at a time.
constexpr std::int64_t kChannelsAtATime = 8;

bool has_kernel(const torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return kernels().batch_norm != nullptr && x.is_cuda() && norm->is_training() &&
         x.size(1) % kChannelsAtATime == 0;
}

at::Tensor fused(torch::nn::BatchNorm2d& norm, const at::Tensor& x, const at::Tensor& residual,
                 bool relu) {
  return kernels().batch_norm({.x = x,
                               .weight = norm->weight,
                               .bias = norm->bias,
                               .running_mean = norm->running_mean,
                               .running_variance = norm->running_var,
                               .residual = residual,
                               .relu = relu,
                               .momentum = *norm->options.momentum(),
                               .epsilon = norm->options.eps()});
}

}  // namespace

at::Tensor normalize(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return has_kernel(norm, x) ? fused(norm, x, {}, /*relu=*/false) : norm(x);
}

at::Tensor norm_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return has_kernel(norm, x) ? fused(norm, x, {}, /*relu=*/true) : norm(x).relu_();
}

at::Tensor norm_prelu(torch::nn::BatchNorm2d& norm, torch::nn::PReLU& prelu, const at::Tensor& x) {
  const at::Tensor y = normalize(norm, x);
  return at::prelu(y, prelu->weight.to(y.scalar_type()));
}

at::Tensor norm_add(torch::nn::BatchNorm2d& norm, const at::Tensor& x, const at::Tensor& residual) {
  return has_kernel(norm, x) ? fused(norm, x, residual, /*relu=*/false) : norm(x).add_(residual);
}

at::Tensor norm_add_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x,
                         const at::Tensor& residual) {
  if (has_kernel(norm, x)) return fused(norm, x, residual, /*relu=*/true);
  return norm(x).add_(residual).relu_();
}

at::Tensor gate_add_relu(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& residual) {
  return (x * gate.unsqueeze(-1).unsqueeze(-1)).add_(residual).relu_();
}

}  // namespace trainmark::train
