#include "layers/instance_norm.h"

#include <ATen/Context.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/reflection_pad2d.h>

namespace trainmark::train {
namespace {

/// The statistics of a batch of one image are those of the image. BatchNorm keeps channels-last
/// images as they are. at::instance_norm would copy them to the other order, and gives (LibTorch
/// 2.11, CPU) a wrong gradient for one image when the gradient behind it comes channels-last.
at::Tensor norm_of_one(const at::Tensor& image) {
  return at::batch_norm(image, /*weight=*/{}, /*bias=*/{}, /*running_mean=*/{}, /*running_var=*/{},
                        /*training=*/true, /*momentum=*/0, /*eps=*/1e-5,
                        at::globalContext().userEnabledCuDNN());
}

at::Tensor plain(const at::Tensor& x) {
  if (x.size(0) == 1) return norm_of_one(x);
  std::vector<at::Tensor> images = x.split(1);
  for (at::Tensor& image : images) image = norm_of_one(image);
  return at::cat(images);
}

at::Tensor fused(const InstanceNorm& norm, const at::Tensor& x,
                 NormArguments::Activation activation, const at::Tensor& residual = {},
                 double leak = 0) {
  return norm.kernels().batch_norm(
      {.x = x, .residual = residual, .activation = activation, .leak = leak, .per_image = true});
}

bool has_kernel(const InstanceNorm& norm, const at::Tensor& x) {
  return has_norm_kernel(norm.kernels(), x);
}

}  // namespace

at::Tensor InstanceNorm::operator()(const at::Tensor& x) const {
  return has_kernel(*this, x) ? fused(*this, x, NormArguments::Activation::none) : plain(x);
}

at::Tensor norm_relu(const InstanceNorm& norm, const at::Tensor& x) {
  return has_kernel(norm, x) ? fused(norm, x, NormArguments::Activation::relu) : plain(x).relu_();
}

at::Tensor norm_leaky_relu(const InstanceNorm& norm, const at::Tensor& x, double slope) {
  if (has_kernel(norm, x)) return fused(norm, x, NormArguments::Activation::leaky_relu, {}, slope);
  at::Tensor y = plain(x);
  return at::leaky_relu_(y, slope);
}

at::Tensor norm_add(const InstanceNorm& norm, const at::Tensor& x, const at::Tensor& residual) {
  return has_kernel(norm, x) ? fused(norm, x, NormArguments::Activation::none, residual)
                             : plain(x).add_(residual);
}

Fork Reflect::fork(const at::Tensor& x) const {
  if (has_image_kernels(kernels_, x)) return kernels_.reflect(x, border_);
  return {.branch = at::reflection_pad2d(x, {border_, border_, border_, border_}), .shortcut = x};
}

}  // namespace trainmark::train
