#include "cpu/products.h"
#include "cpu/cpu_kernels.h"

#include <ATen/ops/linear.h>
#include <torch/types.h>

#include "engine/flops.h"
#include "layer_check.h"

namespace trainmark::train {
namespace {

TEST(ProductsOnCpu, AgreeWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  struct Shape {
    std::vector<std::int64_t> x;
    std::int64_t out;
  };
  // With more than two dimensions, with odd sides, of one row and of one column.
  for (const Shape& shape : std::vector<Shape>{
           {{4, 16, 64}, 32}, {{200, 8}, 230}, {{3, 7, 41}, 265}, {{1, 16}, 8}, {{5, 7}, 1}}) {
    const Tensors inputs = {torch::randn(shape.x), torch::randn({shape.out, shape.x.back()}),
                            torch::randn({shape.out})};
    expect_same_layer(
        text_of(shape.x, at::kFloat), inputs,
        [](const Tensors& given) { return onednn_linear(given[0], given[1], given[2]); },
        [](const Tensors& given) { return at::linear(given[0], given[1], given[2]); },
        rounding_of(at::kFloat));
    expect_same_layer(
        text_of(shape.x, at::kFloat) + " without a bias", {inputs[0], inputs[1]},
        [](const Tensors& given) { return onednn_linear(given[0], given[1], {}); },
        [](const Tensors& given) { return at::linear(given[0], given[1]); },
        rounding_of(at::kFloat));
  }
}

TEST(ProductsOnCpu, TakeInputsThatAreNotContiguous) {
  torch::manual_seed(2);
  const at::Tensor weight = torch::randn({24, 9}).t();
  const std::vector<std::pair<std::string, at::Tensor>> cases = {
      {"swapped", torch::randn({6, 5, 24}).transpose(0, 1)},
      {"transposed", torch::randn({24, 70}).t()},
      {"rows far apart", torch::randn({8, 5, 24}).select(1, 0)},
      {"every second", torch::randn({8, 48}).slice(1, 0, 48, 2)}};
  for (const auto& [name, x] : cases) {
    // Not clones: these would be contiguous.
    const at::Tensor rows = x;
    expect_same_layer(
        name, {weight, torch::randn({9})},
        [&](const Tensors& given) { return onednn_linear(rows, given[0], given[1]); },
        [&](const Tensors& given) { return at::linear(rows.to(at::kDouble), given[0], given[1]); },
        rounding_of(at::kFloat));
  }
}

TEST(ProductsOnCpu, TransposeWhatLiesInColumns) {
  torch::manual_seed(3);
  for (const auto& [rows, columns, inner] :
       std::vector<std::array<std::int64_t, 3>>{{300, 40, 33}, {5, 9, 7}, {129, 64, 1}}) {
    const at::Tensor left = torch::randn({inner, rows}).t();
    const at::Tensor right = torch::randn({inner, columns}).t();
    const at::Tensor truth = left.to(at::kDouble).mm(right.t().to(at::kDouble));
    EXPECT_LT(distance(onednn_product(left, right), truth), rounding_of(at::kFloat));
  }
}

TEST(ProductsOnCpu, GiveNoGradientToWhatNeedsNone) {
  const at::Tensor x = torch::randn({4, 16}).set_requires_grad(true);
  const at::Tensor weight = torch::randn({8, 16});
  onednn_linear(x, weight, torch::randn({8})).sum().backward();
  EXPECT_TRUE(x.grad().defined());
  EXPECT_FALSE(weight.grad().defined());
}

TEST(ProductsOnCpu, AreCountedAsTheUsualOnes) {
  const at::Tensor x = torch::randn({3, 5, 16});
  const at::Tensor weight = torch::randn({8, 16});
  const at::Tensor bias = torch::randn({8});
  EXPECT_EQ(count_flops([&] { onednn_linear(x, weight, bias); }), 2 * 3 * 5 * 16 * 8);
  EXPECT_EQ(count_flops([&] { at::linear(x, weight, bias); }), 2 * 3 * 5 * 16 * 8);
}

TEST(ProductsOnCpu, AreLibTorchsOwnInOtherPrecisions) {
  for (const char* precision : {"fp64", "amp-bf16", "bf16"}) {
    EXPECT_EQ(cpu_kernels(precision).linear, nullptr) << precision;
    EXPECT_EQ(cpu_kernels(precision).convolution, nullptr) << precision;
    EXPECT_EQ(cpu_kernels(precision).dropout, nullptr) << precision;
  }
}

}  // namespace
}  // namespace trainmark::train
