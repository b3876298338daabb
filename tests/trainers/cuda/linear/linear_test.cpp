#include <torch/types.h>

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

TEST_F(LinearOnGpu, GivesABiasThatNeedsNoGradientNone) {
  const auto options = at::TensorOptions(at::kCUDA).dtype(at::kHalf);
  const at::Tensor x = torch::randn({4, 16}, options).set_requires_grad(true);
  const at::Tensor weight = torch::randn({8, 16}, options).set_requires_grad(true);
  const at::Tensor bias = torch::randn({8}, options).set_requires_grad(true);
  accelerator->kernels().linear(x, weight, bias.detach()).sum().backward();
  EXPECT_TRUE(x.grad().defined() && weight.grad().defined());
  EXPECT_FALSE(bias.grad().defined());
}

TEST_F(LinearOnGpu, AgreesWithTheDefinitionInDoublesUnderAnActivation) {
  torch::manual_seed(2);
  struct Shape {
    std::vector<std::int64_t> x;
    std::int64_t out;
  };
  for (const Shape& shape : std::vector<Shape>{
           {{4, 16, 64}, 3072}, {{2000, 8}, 264}, {{3, 7, 40}, 96}, {{1, 16}, 8}, {{5, 8}, 2}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      for (const train::Activation activation :
           {train::Activation::relu, train::Activation::gelu}) {
        const auto options = at::TensorOptions(at::kCUDA).dtype(type);
        const Tensors inputs = {torch::randn(shape.x, options),
                                torch::randn({shape.out, shape.x.back()}, options) * 0.25,
                                torch::randn({shape.out}, options)};
        expect_same_layer(
            text_of(shape.x, type) + (activation == train::Activation::relu ? " relu" : " gelu"),
            inputs,
            [&](const Tensors& given) {
              return accelerator->kernels().linear_activation(given[0], given[1], given[2],
                                                              activation);
            },
            [&](const Tensors& given) {
              const at::Tensor y = at::linear(given[0], given[1], given[2]);
              return activation == train::Activation::relu ? y.relu() : at::gelu(y);
            },
            rounding_of(type));
      }
    }
  }
}

/// Far from zero the error function's approximation would show first.
TEST_F(LinearOnGpu, HasTheGeluOfTheErrorFunction) {
  const auto options = at::TensorOptions(at::kCUDA).dtype(at::kFloat);
  const at::Tensor x = at::linspace(-8, 8, 4096, options).view({-1, 1});
  const at::Tensor one = at::ones({1, 1}, options);
  // Eight equal columns: the kernel takes four floats at a time.
  const at::Tensor y = accelerator->kernels().linear_activation(
      x, one.expand({8, 1}).contiguous(), at::zeros({8}, options), train::Activation::gelu);
  const at::Tensor truth = at::gelu(x.to(at::kDouble)).expand({-1, 8});
  EXPECT_LT((y.to(at::kDouble) - truth).abs().max().item<double>(), 2e-6);
}

}  // namespace
}  // namespace trainmark::train
