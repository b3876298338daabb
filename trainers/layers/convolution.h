#pragma once

#include <torch/nn/modules/conv.h>

#include "layers/norm.h"

namespace trainmark::train {

struct ConvolutionShape {
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t groups = 1;
};

/// A convolution with an odd kernel, padded to keep the image's size where the stride is 1. It has
/// no bias: the norm behind it has one.
torch::nn::Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel,
                              const ConvolutionShape& shape = {});

/// Convolution, norm, ReLU.
struct ConvNormReluImpl : torch::nn::Module {
  ConvNormReluImpl(const TrainingContext& context, std::int64_t in, std::int64_t out,
                   std::int64_t kernel, const ConvolutionShape& shape = {});
  at::Tensor forward(const at::Tensor& x);

  torch::nn::Conv2d conv;
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
  torch::nn::Conv2d depthwise;
  BatchNorm2d depthwise_norm;
  torch::nn::Conv2d pointwise;
  BatchNorm2d pointwise_norm;

 private:
  /// The depthwise convolution.
  at::Tensor filter(const at::Tensor& x);
};
TORCH_MODULE(Separable);

}  // namespace trainmark::train
