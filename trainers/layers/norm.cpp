#include "layers/norm.h"

namespace trainmark::train {

at::Tensor norm_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return norm(x).relu_();
}

at::Tensor norm_add_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x,
                         const at::Tensor& residual) {
  return norm(x).add_(residual).relu_();
}

}  // namespace trainmark::train
