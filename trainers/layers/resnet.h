#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <array>

#include "layers/convolution.h"
#include "layers/resize.h"

namespace trainmark::train {

/// What the members of the ResNet family of fifty layers differ in. Stages count from 0.
struct ResNetOptions {
  std::int64_t width = 64;          // channels of the stem
  std::int64_t inner = 1;           // channels inside a block of stage s: 2^s × width × inner
  std::int64_t groups = 1;          // of a block's 3×3 convolution
  bool squeeze = false;             // squeeze-excitation where a block ends
  std::int64_t output_stride = 32;  // of stage 3; below 32 stages are dilated, not strided

  std::int64_t inner_channels(int stage) const { return (width * inner) << stage; }
  std::int64_t channels(int stage) const { return (width * 4) << stage; }
};

/// A ResNet without its head: the stem and four stages of 3, 4, 6 and 3 blocks (He et al. 2016,
/// table 1; v1.5: the 3×3 convolution of a block has the stride).
struct ResNetTrunkImpl : torch::nn::Module {
  ResNetTrunkImpl(const TrainingContext& context, const ResNetOptions& options);

  /// What each of the four stages gives.
  std::array<at::Tensor, 4> forward(const at::Tensor& image);

  ConvNormRelu stem;
  MaxPool pool;
  std::array<torch::nn::Sequential, 4> stages;
};
TORCH_MODULE(ResNetTrunk);

}  // namespace trainmark::train
