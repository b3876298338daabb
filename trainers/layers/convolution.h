#pragma once

#include <torch/nn/modules/conv.h>

#include "layers/norm.h"

namespace trainmark::train {

struct ConvolutionShape {
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t groups = 1;
};

/// LibTorch's layer with an odd kernel, padded to keep the image's size where the stride is 1. It
/// has no bias: the norm behind it has one. What that norm needs of its output is summed on the way
/// where the device can.
struct ConvolutionImpl : torch::nn::Conv2dImpl {
  ConvolutionImpl(const TrainingContext& context, std::int64_t in, std::int64_t out,
                  std::int64_t kernel, const ConvolutionShape& shape = {});
  Summed forward(const at::Tensor& x);

  Kernels kernels;
};
TORCH_MODULE(Convolution);

/// convolution(relu(norm(x))).
Summed norm_relu_convolve(BatchNorm2d& norm, const Summed& x, Convolution& convolution);

/// Convolution, norm, ReLU.
struct ConvNormReluImpl : torch::nn::Module {
  ConvNormReluImpl(const TrainingContext& context, std::int64_t in, std::int64_t out,
                   std::int64_t kernel, const ConvolutionShape& shape = {});
  at::Tensor forward(const at::Tensor& x);

  Convolution conv;
  BatchNorm2d norm;
};
TORCH_MODULE(ConvNormRelu);

/// A 3×3 convolution in two: each channel for itself in space (depthwise), then the channels of
/// each pixel (pointwise); norm and ReLU after both.
struct SeparableImpl : torch::nn::Module {
  SeparableImpl(const TrainingContext& context, std::int64_t in, std::int64_t out,
                std::int64_t dilation = 1);
  at::Tensor forward(const at::Tensor& x);

  Kernels kernels;
  Convolution depthwise;
  BatchNorm2d depthwise_norm;
  Convolution pointwise;
  BatchNorm2d pointwise_norm;

 private:
  /// The depthwise convolution.
  at::Tensor filter(const at::Tensor& x);
};
TORCH_MODULE(Separable);

}  // namespace trainmark::train
