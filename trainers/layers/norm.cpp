#include "layers/norm.h"

#include <ATen/ops/prelu.h>

namespace trainmark::train {

at::Tensor normalize(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return norm(x);
}

at::Tensor norm_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return normalize(norm, x).relu_();
}

at::Tensor norm_prelu(torch::nn::BatchNorm2d& norm, torch::nn::PReLU& prelu, const at::Tensor& x) {
  const at::Tensor y = normalize(norm, x);
  return at::prelu(y, prelu->weight.to(y.scalar_type()));
}

at::Tensor norm_add(torch::nn::BatchNorm2d& norm, const at::Tensor& x, const at::Tensor& residual) {
  return normalize(norm, x).add_(residual);
}

at::Tensor norm_add_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x,
                         const at::Tensor& residual) {
  return norm_add(norm, x, residual).relu_();
}

at::Tensor gate_add_relu(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& residual) {
  return (x * gate.unsqueeze(-1).unsqueeze(-1)).add_(residual).relu_();
}

}  // namespace trainmark::train
