#include <torch/types.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

class ReflectOnGpu : public OnGpu {};

TEST_F(ReflectOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const auto& shape :
       std::vector<std::vector<std::int64_t>>{{2, 64, 16, 16}, {1, 8, 4, 5}, {3, 256, 9, 7}}) {
    for (const std::int64_t border : {1, 3}) {
      for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
        const at::Tensor x = torch::randn(shape, at::TensorOptions(at::kCUDA).dtype(type))
                                 .contiguous(at::MemoryFormat::ChannelsLast);
        expect_same_layer(
            text_of(shape, type), {x},
            [&](const Tensors& inputs) {
              return accelerator->kernels().reflect(inputs[0], border).branch;
            },
            [&](const Tensors& inputs) {
              return at::reflection_pad2d(inputs[0], {border, border, border, border});
            },
            rounding_of(type));
      }
    }
  }
}

TEST_F(ReflectOnGpu, AddsTheGradientOfTheShortcutAroundIt) {
  torch::manual_seed(2);
  for (const auto& shape :
       std::vector<std::vector<std::int64_t>>{{2, 64, 16, 16}, {1, 8, 2, 5}, {3, 24, 9, 7}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const at::Tensor x = torch::randn(shape, at::TensorOptions(at::kCUDA).dtype(type))
                               .contiguous(at::MemoryFormat::ChannelsLast);
      const auto inner = [&](const at::Tensor& padded) {
        return padded.slice(2, 1, shape[2] + 1).slice(3, 0, shape[3]);
      };
      expect_same_layer(
          text_of(shape, type), {x},
          [&](const Tensors& inputs) {
            const Fork fork = accelerator->kernels().reflect(inputs[0], 1);
            return inner(fork.branch) + 0.5 * fork.shortcut;
          },
          [&](const Tensors& inputs) {
            return inner(at::reflection_pad2d(inputs[0], {1, 1, 1, 1})) + 0.5 * inputs[0];
          },
          rounding_of(type));
      expect_same_layer(
          text_of(shape, type) + " shortcut alone", {x},
          [&](const Tensors& inputs) {
            return 2 * accelerator->kernels().reflect(inputs[0], 1).shortcut;
          },
          [&](const Tensors& inputs) { return 2 * inputs[0]; }, rounding_of(type));
    }
  }
}

}  // namespace
}  // namespace trainmark::train
