#include <torch/types.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

class AddNormOnGpu : public OnGpu {
 protected:
  /// x, y, weight, bias, and a bias of y.
  static Tensors inputs_of(at::IntArrayRef shape, at::ScalarType type) {
    const auto options = at::TensorOptions(at::kCUDA).dtype(type);
    const auto floats = at::TensorOptions(at::kCUDA).dtype(at::kFloat);
    return {torch::randn(shape, options), torch::randn(shape, options),
            torch::rand({shape.back()}, floats) + 0.5, torch::randn({shape.back()}, floats),
            torch::zeros({shape.back()}, options)};
  }

  Fork fork(const Tensors& inputs, double dropout) {
    return accelerator->kernels().add_norm({.x = inputs[0],
                                            .y = inputs[1],
                                            .y_bias = inputs[4],
                                            .weight = inputs[2],
                                            .bias = inputs[3],
                                            .dropout = dropout,
                                            .epsilon = 1e-5});
  }

  at::Tensor layer(const Tensors& inputs, double dropout) { return fork(inputs, dropout).branch; }
};

at::Tensor definition(const at::Tensor& sum, const Tensors& inputs) {
  return at::layer_norm(sum, {sum.size(-1)}, inputs[2], inputs[3], 1e-5);
}

TEST_F(AddNormOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {4, 16, 768}, {3, 7, 1024}, {5, 32}, {2, 3, 8}, {1000, 520}, {2, 2048}, {70000, 64}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      expect_same_layer(
          text_of(shape, type), inputs_of(shape, type),
          [&](const Tensors& inputs) { return layer(inputs, 0); },
          [&](const Tensors& inputs) {
            return definition(inputs[0] + (inputs[1] + inputs[4]), inputs);
          },
          rounding_of(type));
    }
  }
}

TEST_F(AddNormOnGpu, AddsTheGradientsOfItsTwoReaders) {
  torch::manual_seed(2);
  for (const auto& shape :
       std::vector<std::vector<std::int64_t>>{{2, 16, 768}, {5, 1024}, {3, 8}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      expect_same_for_all_readers(text_of(shape, type), inputs_of(shape, type),
                                  [&](const Tensors& inputs) { return fork(inputs, 0); });
    }
  }
}

// y = 1, so that what dropout did can be read from the sum: with weight 1 and bias 0 the gradient
// of y is zero exactly where it was dropped.
TEST_F(AddNormOnGpu, DropsTheShareItIsToldAndScalesTheRest) {
  torch::manual_seed(3);
  Tensors inputs = inputs_of({512, 768}, at::kFloat);
  const Tensors outcome = outcome_of(inputs, torch::randn_like(inputs[0]),
                                     [&](const Tensors& given) { return layer(given, 0.1); });
  const at::Tensor kept = outcome[2].ne(0);
  EXPECT_NEAR(kept.to(at::kFloat).mean().item<float>(), 0.9, 0.003);
  // The kept ones are the gradient of x × 1 / 0.9, and the result is that of this mask.
  EXPECT_LT(distance(outcome[2], outcome[1] * kept / 0.9), 1e-4);
  EXPECT_LT(distance(outcome[5], outcome[2].sum(0)), 1e-4);
  const at::Tensor sum = inputs[0] + inputs[1] * kept / 0.9;
  EXPECT_LT(distance(outcome[0], definition(sum, inputs)), 1e-4);
}

TEST_F(AddNormOnGpu, DrawsAnewEveryTime) {
  torch::manual_seed(4);
  const Tensors inputs = inputs_of({64, 256}, at::kHalf);
  const at::Tensor first = layer(inputs, 0.5);
  const at::Tensor second = layer(inputs, 0.5);
  EXPECT_FALSE(at::equal(first, second));
  torch::manual_seed(4);
  inputs_of({64, 256}, at::kHalf);
  EXPECT_TRUE(at::equal(layer(inputs, 0.5), first));
}

}  // namespace
}  // namespace trainmark::train
