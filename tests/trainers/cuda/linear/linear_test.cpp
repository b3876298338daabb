#include <torch/torch.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

using LinearOnGpu = OnGpu;

TEST_F(LinearOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  struct Shape {
    std::vector<std::int64_t> x;
    std::int64_t out;
  };
  // Wide, tall, with a rest in every direction, and one whose columns are too odd for the kernel.
  for (const Shape& shape : std::vector<Shape>{
           {{4, 16, 64}, 32}, {{2000, 8}, 2304}, {{3, 7, 40}, 264}, {{1, 16}, 8}, {{5, 8}, 2}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const auto options = at::TensorOptions(at::kCUDA).dtype(type);
      const Tensors inputs = {torch::randn(shape.x, options),
                              torch::randn({shape.out, shape.x.back()}, options),
                              torch::randn({shape.out}, options)};
      expect_same_layer(
          text_of(shape.x, type), inputs,
          [&](const Tensors& given) {
            return accelerator->kernels().linear(given[0], given[1], given[2]);
          },
          [&](const Tensors& given) { return at::linear(given[0], given[1], given[2]); },
          rounding_of(type));
    }
  }
}

}  // namespace
}  // namespace trainmark::train
