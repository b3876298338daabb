#include "layers/convolution.h"

namespace trainmark::train {

namespace nn = torch::nn;

namespace {

/// Autocast is LibTorch's own affair; weights that are in half precision already are ours.
bool has_kernel(const ConvolutionImpl& convolution, const at::Tensor& x) {
  return convolution.is_training() && has_image_kernels(convolution.kernels, x) &&
         convolution.weight.scalar_type() != at::kFloat;
}

ConvolutionArguments arguments_of(const ConvolutionImpl& convolution) {
  const auto& options = convolution.options;
  return {.weight = convolution.weight,
          .stride = options.stride()->at(0),
          .padding = std::get<torch::ExpandingArray<2>>(options.padding())->at(0),
          .dilation = options.dilation()->at(0),
          .groups = options.groups()};
}

}  // namespace

ConvolutionImpl::ConvolutionImpl(const TrainingContext& context, std::int64_t in, std::int64_t out,
                                 std::int64_t kernel, const ConvolutionShape& shape)
    : torch::nn::Conv2dImpl(nn::Conv2dOptions(in, out, kernel)
                                .stride(shape.stride)
                                .padding(shape.dilation * (kernel / 2))
                                .dilation(shape.dilation)
                                .groups(shape.groups)
                                .bias(false)),
      kernels(context.kernels) {}

Summed ConvolutionImpl::forward(const at::Tensor& x) {
  if (!has_kernel(*this, x)) return torch::nn::Conv2dImpl::forward(x);
  return kernels.convolution(x, arguments_of(*this));
}

Summed norm_relu_convolve(BatchNorm2d& norm, const Summed& x, Convolution& convolution) {
  if (!has_kernel(*convolution, x.values) || !has_kernel(*norm, x)) {
    return convolution(norm_relu(norm, x));
  }
  return convolution->kernels.norm_relu_convolution(norm_arguments(*norm, x),
                                                    arguments_of(*convolution));
}

ConvNormReluImpl::ConvNormReluImpl(const TrainingContext& context, std::int64_t in,
                                   std::int64_t out, std::int64_t kernel,
                                   const ConvolutionShape& shape)
    : conv(register_module("conv", Convolution(context, in, out, kernel, shape))),
      norm(register_module("norm", BatchNorm2d(context, out))) {}

at::Tensor ConvNormReluImpl::forward(const at::Tensor& x) {
  return norm_relu(norm, conv(x));
}

SeparableImpl::SeparableImpl(const TrainingContext& context, std::int64_t in, std::int64_t out,
                             std::int64_t dilation)
    : kernels(context.kernels),
      depthwise(register_module(
          "depthwise",
          Convolution(context, in, in, 3, ConvolutionShape{.dilation = dilation, .groups = in}))),
      depthwise_norm(register_module("depthwise_norm", BatchNorm2d(context, in))),
      pointwise(register_module("pointwise", Convolution(context, in, out, 1))),
      pointwise_norm(register_module("pointwise_norm", BatchNorm2d(context, out))) {}

at::Tensor SeparableImpl::forward(const at::Tensor& x) {
  return norm_relu(pointwise_norm, norm_relu_convolve(depthwise_norm, filter(x), pointwise));
}

at::Tensor SeparableImpl::filter(const at::Tensor& x) {
  if (!is_training() || !has_image_kernels(kernels, x)) return depthwise(x).values;
  // A norm has given x the type of products.
  return kernels.depthwise(x, depthwise->weight.to(x.scalar_type()),
                           depthwise->options.dilation()->at(0));
}

}  // namespace trainmark::train
