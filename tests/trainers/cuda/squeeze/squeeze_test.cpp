#include <torch/types.h>

#include <cmath>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

using SqueezeOnGpu = OnGpu;

at::Tensor gated_definition(const Tensors& inputs) {
  const at::Tensor hidden = at::linear(inputs[0].mean({2, 3}), inputs[2], inputs[3]).relu();
  const at::Tensor gate = at::linear(hidden, inputs[4], inputs[5]).sigmoid();
  return (inputs[0] * gate.unsqueeze(-1).unsqueeze(-1) + inputs[1]).relu();
}

TEST_F(SqueezeOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {2, 16, 5, 3}, {3, 256, 14, 14}, {8, 2048, 7, 7}, {1, 264, 56, 56}, {5, 32, 1, 1}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const auto options = at::TensorOptions(at::kCUDA).dtype(type);
      const auto image = [&] {
        return torch::randn(shape, options).contiguous(at::MemoryFormat::ChannelsLast);
      };
      const std::int64_t hidden = 8;
      const Tensors inputs = {
          image(), image(),
          // Far from the kink of the ReLU, where rounding would choose the side.
          torch::randn({hidden, shape[1]}, options) * (0.1 / std::sqrt(shape[1])),
          torch::rand({hidden}, options) + 0.5, torch::randn({shape[1], hidden}, options),
          torch::randn({shape[1]}, options)};
      const auto layer = [&](const Tensors& given) {
        return accelerator->kernels().squeeze_add_relu({.y = given[0],
                                                        .residual = given[1],
                                                        .reduce_weight = given[2],
                                                        .reduce_bias = given[3],
                                                        .expand_weight = given[4],
                                                        .expand_bias = given[5]});
      };
      expect_same_layer(
          text_of(shape, type), inputs, [&](const Tensors& given) { return layer(given).branch; },
          gated_definition, 4 * rounding_of(type));
      expect_same_for_all_readers(text_of(shape, type), inputs, layer);
    }
  }
}

TEST_F(SqueezeOnGpu, TakesTheNormBeforeItAlong) {
  torch::manual_seed(2);
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {2, 16, 5, 3}, {3, 256, 14, 14}, {8, 2048, 7, 7}, {4, 264, 56, 56}, {600, 32, 1, 1}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const auto options = at::TensorOptions(at::kCUDA).dtype(type);
      const auto floats = at::TensorOptions(at::kCUDA).dtype(at::kFloat);
      const auto image = [&](double mean) {
        return (torch::randn(shape, options) * 2 + mean).contiguous(at::MemoryFormat::ChannelsLast);
      };
      const std::int64_t hidden = 8;
      const Tensors inputs = {
          image(1), image(0),
          // Far from the kink of the ReLU, where rounding would choose the side.
          torch::randn({hidden, shape[1]}, options) * (0.1 / std::sqrt(shape[1])),
          torch::rand({hidden}, options) + 0.5, torch::randn({shape[1], hidden}, options),
          torch::randn({shape[1]}, options), torch::rand({shape[1]}, floats) + 0.5,
          torch::randn({shape[1]}, floats)};
      const auto norm_of = [](const Tensors& given) {
        return NormArguments{.x = given[0],
                             .weight = given[6],
                             .bias = given[7],
                             .running_mean = torch::zeros_like(given[6]).detach(),
                             .running_variance = torch::ones_like(given[6]).detach()};
      };
      const auto layer = [&](const Tensors& given) {
        return accelerator->kernels().norm_squeeze_add_relu(norm_of(given),
                                                            {.y = {},
                                                             .residual = given[1],
                                                             .reduce_weight = given[2],
                                                             .reduce_bias = given[3],
                                                             .expand_weight = given[4],
                                                             .expand_bias = given[5]});
      };
      expect_same_layer(
          text_of(shape, type), inputs, [&](const Tensors& given) { return layer(given).branch; },
          [&](const Tensors& given) {
            const NormArguments norm = norm_of(given);
            Tensors normed = given;
            normed[0] = at::batch_norm(given[0], norm.weight, norm.bias, norm.running_mean,
                                       norm.running_variance, /*training=*/true, norm.momentum,
                                       norm.epsilon, /*cudnn_enabled=*/false);
            return gated_definition(normed);
          },
          type == at::kFloat ? 3e-3 : 4 * rounding_of(type));
      expect_same_for_all_readers(text_of(shape, type), inputs, layer);
    }
  }
}

}  // namespace
}  // namespace trainmark::train
