#include "layers/convolution.h"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>

namespace trainmark::train {

namespace nn = torch::nn;

namespace {

/// Autocast is LibTorch's own affair; weights that are in half precision already are ours.
bool has_kernel(const ConvolutionImpl& convolution, const at::Tensor& x) {
  if (!convolution.is_training()) return false;
  if (!x.is_cuda()) return convolution.kernels.convolution != nullptr;
  return has_image_kernels(convolution.kernels, x) &&
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

constexpr std::int64_t channels_at_a_time = 8;

/// Images of a few channels under a large strided kernel: what a network begins with. In fp16 cuDNN
/// has a kernel for them, which is faster than folding.
bool can_fold(const ConvolutionImpl& convolution, const at::Tensor& x) {
  const ConvolutionArguments arguments = arguments_of(convolution);
  const at::Tensor& weight = arguments.weight;
  const std::int64_t kernel = weight.size(2);
  return convolution.is_training() && convolution.kernels.fold != nullptr && x.is_cuda() &&
         !x.requires_grad() && weight.scalar_type() == at::kBFloat16 &&
         x.size(1) <= channels_at_a_time / 2 && x.size(2) % 2 == 0 && x.size(3) % 2 == 0 &&
         arguments.stride == 2 && arguments.groups == 1 && arguments.dilation == 1 &&
         arguments.padding == kernel / 2 && arguments.padding % 2 == 1;
}

/// The same convolution without stride, of the folded image: cuDNN has fast kernels where the
/// channels are a multiple of eight. A line of zeros makes the size of the kernel even.
Summed folded_convolution(const ConvolutionImpl& convolution, const at::Tensor& x) {
  const at::Tensor& weight = convolution.weight;
  const std::int64_t out = weight.size(0);
  const std::int64_t in = weight.size(1);
  const std::int64_t kernel = (weight.size(2) + 1) / 2;
  const std::int64_t channels =
      (4 * in + channels_at_a_time - 1) / channels_at_a_time * channels_at_a_time;
  const at::Tensor folded_weight = at::constant_pad_nd(at::constant_pad_nd(weight, {1, 0, 1, 0})
                                                           .reshape({out, in, kernel, 2, kernel, 2})
                                                           .permute({0, 3, 5, 1, 2, 4})
                                                           .reshape({out, 4 * in, kernel, kernel}),
                                                       {0, 0, 0, 0, 0, channels - 4 * in});
  const std::int64_t before = kernel / 2;
  const at::Tensor folded = convolution.kernels.fold(x, {.type = weight.scalar_type(),
                                                         .channels = channels,
                                                         .before = before,
                                                         .after = kernel - 1 - before});
  // Of sixteen channels, cuDNN's kernel that sums as well costs more than a pass for the sums.
  return at::conv2d(folded, folded_weight.contiguous(at::MemoryFormat::ChannelsLast));
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
  if (can_fold(*this, x)) return folded_convolution(*this, x);
  if (!has_kernel(*this, x)) return torch::nn::Conv2dImpl::forward(x);
  return kernels.convolution(x, arguments_of(*this));
}

Summed norm_relu_convolve(BatchNorm2d& norm, const Summed& x, Convolution& convolution) {
  const bool fused = convolution->kernels.norm_relu_convolution != nullptr;
  if (!fused || !has_kernel(*convolution, x.values) || !has_kernel(*norm, x)) {
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
  const bool has_kernel =
      x.is_cuda() ? has_image_kernels(kernels, x) : kernels.depthwise != nullptr;
  if (!is_training() || !has_kernel) return depthwise(x).values;
  // A norm has given x the type of products.
  return kernels.depthwise(x, depthwise->weight.to(x.scalar_type()),
                           depthwise->options.dilation()->at(0));
}

}  // namespace trainmark::train
