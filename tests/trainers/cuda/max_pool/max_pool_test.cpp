#include <torch/types.h>

#include <cmath>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

class MaxPoolOnGpu : public OnGpu {
 protected:
  at::Tensor ours(const at::Tensor& x) { return accelerator->kernels().max_pool(x); }

  static at::Tensor plain(const at::Tensor& x) { return at::max_pool2d(x, 3, 2, 1); }

  /// Results and gradients, which are choices and sums of at most four numbers, against LibTorch's.
  void expect_same_choices(const std::string& name, const at::Tensor& x) {
    // On the CPU, which chooses one after the other.
    const at::Tensor reference = x.to(at::kCPU, at::kFloat);
    // Small whole numbers: their sums are exact in every type.
    const at::Tensor gradient = torch::randint_like(plain(reference), -8, 9);
    const Tensors found = outcome_of({x}, gradient.to(at::kCUDA),
                                     [&](const Tensors& given) { return ours(given[0]); });
    const Tensors truth =
        outcome_of({reference}, gradient, [](const Tensors& given) { return plain(given[0]); });
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(at::allclose(found[i].to(at::kCPU, at::kFloat), truth[i], 0, 0,
                               /*equal_nan=*/true))
          << name << (i == 0 ? ", result" : ", gradient");
    }
  }
};

const std::vector<std::vector<std::int64_t>> max_pool_shapes = {
    {1, 8, 1, 1}, {2, 8, 2, 2},    {1, 16, 3, 3},   {3, 24, 1, 6},     {2, 40, 7, 1},
    {2, 8, 5, 4}, {1, 264, 10, 9}, {2, 64, 33, 34}, {3, 64, 112, 112}, {1, 2048, 3, 5}};

TEST_F(MaxPoolOnGpu, ChoosesAsLibTorchDoes) {
  torch::manual_seed(1);
  for (const auto& shape : max_pool_shapes) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const auto options = at::TensorOptions(at::kCUDA).dtype(type);
      expect_same_choices(text_of(shape, type),
                          torch::randn(shape, options).contiguous(at::MemoryFormat::ChannelsLast));
    }
  }
}

TEST_F(MaxPoolOnGpu, TakesTheFirstOfEqualPixels) {
  torch::manual_seed(2);
  for (const auto& shape : max_pool_shapes) {
    // As behind a ReLU: many zeros.
    const at::Tensor x = torch::randint(0, 3, shape, at::TensorOptions(at::kCUDA).dtype(at::kHalf));
    expect_same_choices(text_of(shape, at::kHalf), x.contiguous(at::MemoryFormat::ChannelsLast));
    expect_same_choices(text_of(shape, at::kHalf) + " of minus infinity",
                        torch::full_like(x, -INFINITY).contiguous(at::MemoryFormat::ChannelsLast));
  }
}

TEST_F(MaxPoolOnGpu, LetsNansThrough) {
  torch::manual_seed(3);
  at::Tensor x = torch::randn({2, 8, 9, 12}, at::kCUDA).contiguous(at::MemoryFormat::ChannelsLast);
  x.masked_fill_(torch::rand_like(x) < 0.2, NAN);
  expect_same_choices("with NaN", x);
  EXPECT_TRUE(ours(x).isnan().any().item<bool>());
}

TEST_F(MaxPoolOnGpu, RepeatsBitByBit) {
  const at::Tensor x = torch::randn({4, 64, 57, 57}, at::TensorOptions(at::kCUDA).dtype(at::kHalf))
                           .contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor gradient = torch::randn({4, 64, 29, 29}, x.options());
  const auto layer = [&](const Tensors& given) { return ours(given[0]); };
  const Tensors first = outcome_of({x}, gradient, layer);
  const Tensors second = outcome_of({x}, gradient, layer);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(at::equal(first[i], second[i])) << i;
}

}  // namespace
}  // namespace trainmark::train
