#include <torch/types.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

using DepthwiseOnGpu = OnGpu;

struct DepthwiseCase {
  std::vector<std::int64_t> shape;
  std::int64_t dilation = 1;
};

Tensors depthwise_inputs(const DepthwiseCase& that, at::ScalarType type) {
  const auto options = at::TensorOptions(at::kCUDA).dtype(type);
  return {torch::randn(that.shape, options).contiguous(at::MemoryFormat::ChannelsLast),
          torch::randn({that.shape[1], 1, 3, 3}, options)};
}

TEST_F(DepthwiseOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  // One pixel, one row, one column; rows and columns fewer than the dilation, as many, with a rest;
  // lanes with a rest, fewer than a block's; several strips; the shapes of DeepLab.
  const std::vector<DepthwiseCase> cases = {
      {{1, 8, 1, 1}, 1},     {{2, 8, 1, 7}, 1},     {{2, 16, 7, 1}, 2},     {{1, 8, 1, 1}, 5},
      {{3, 8, 5, 4}, 1},     {{3, 24, 5, 4}, 4},    {{2, 24, 9, 11}, 3},    {{1, 40, 33, 17}, 1},
      {{2, 264, 35, 10}, 2}, {{1, 560, 50, 30}, 1}, {{2, 64, 16, 32}, 12},  {{2, 64, 16, 32}, 24},
      {{1, 520, 40, 40}, 7}, {{1, 8, 300, 3}, 1},   {{2, 2048, 64, 40}, 36}};
  for (const DepthwiseCase& that : cases) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      expect_same_layer(
          text_of(that.shape, type) + " dilation " + std::to_string(that.dilation),
          depthwise_inputs(that, type),
          [&](const Tensors& inputs) {
            return accelerator->kernels().depthwise(inputs[0], inputs[1], that.dilation);
          },
          [&](const Tensors& inputs) {
            return at::conv2d(inputs[0], inputs[1], /*bias=*/{}, /*stride=*/1,
                              /*padding=*/that.dilation, that.dilation,
                              /*groups=*/that.shape[1]);
          },
          rounding_of(type));
    }
  }
}

TEST_F(DepthwiseOnGpu, RepeatsBitByBit) {
  const DepthwiseCase that{{4, 560, 64, 64}, 12};
  const Tensors inputs = depthwise_inputs(that, at::kHalf);
  const at::Tensor gradient = torch::randn_like(inputs[0]);
  const auto layer = [&](const Tensors& given) {
    return accelerator->kernels().depthwise(given[0], given[1], that.dilation);
  };
  const Tensors first = outcome_of(inputs, gradient, layer);
  const Tensors second = outcome_of(inputs, gradient, layer);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(at::equal(first[i], second[i])) << i;
}

TEST_F(DepthwiseOnGpu, TakesGradientsInTheOtherOrder) {
  const DepthwiseCase that{{2, 16, 6, 5}, 2};
  const Tensors inputs = depthwise_inputs(that, at::kFloat);
  const at::Tensor gradient = torch::randn(that.shape, inputs[0].options());
  const auto layer = [&](const Tensors& given) {
    return accelerator->kernels().depthwise(given[0], given[1], that.dilation);
  };
  const Tensors plain = outcome_of(inputs, gradient, layer);
  const Tensors same =
      outcome_of(inputs, gradient.contiguous(at::MemoryFormat::ChannelsLast), layer);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(at::equal(plain[i], same[i])) << i;
}

}  // namespace
}  // namespace trainmark::train
