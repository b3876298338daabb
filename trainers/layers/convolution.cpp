#include "layers/convolution.h"

namespace trainmark::train {

namespace nn = torch::nn;

nn::Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel,
                       const ConvolutionShape& shape) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel)
                        .stride(shape.stride)
                        .padding(shape.dilation * (kernel / 2))
                        .dilation(shape.dilation)
                        .groups(shape.groups)
                        .bias(false));
}

ConvNormReluImpl::ConvNormReluImpl(const TrainingContext& context, std::int64_t in,
                                   std::int64_t out, std::int64_t kernel,
                                   const ConvolutionShape& shape)
    : conv(register_module("conv", convolution(in, out, kernel, shape))),
      norm(register_module("norm", BatchNorm2d(context, out))) {}

at::Tensor ConvNormReluImpl::forward(const at::Tensor& x) {
  return norm_relu(norm, conv(x));
}

SeparableImpl::SeparableImpl(const TrainingContext& context, std::int64_t in, std::int64_t out,
                             std::int64_t dilation)
    : kernels(context.kernels),
      depthwise(register_module("depthwise",
                                convolution(in, in, 3, {.dilation = dilation, .groups = in}))),
      depthwise_norm(register_module("depthwise_norm", BatchNorm2d(context, in))),
      pointwise(register_module("pointwise", convolution(in, out, 1))),
      pointwise_norm(register_module("pointwise_norm", BatchNorm2d(context, out))) {}

at::Tensor SeparableImpl::forward(const at::Tensor& x) {
  return norm_relu(pointwise_norm, pointwise(norm_relu(depthwise_norm, filter(x))));
}

at::Tensor SeparableImpl::filter(const at::Tensor& x) {
  if (!is_training() || !has_image_kernels(kernels, x)) return depthwise(x);
  // A norm has given x the type of products.
  return kernels.depthwise(x, depthwise->weight.to(x.scalar_type()),
                           depthwise->options.dilation()->at(0));
}

}  // namespace trainmark::train
