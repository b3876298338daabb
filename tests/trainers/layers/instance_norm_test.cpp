#include "layers/instance_norm.h"

#include <gtest/gtest.h>
#include <torch/autograd.h>

namespace trainmark::train {
namespace {

at::Tensor plain(const at::Tensor& x) {
  const at::Tensor mean = x.mean({2, 3}, /*keepdim=*/true);
  const at::Tensor variance = (x - mean).square().mean({2, 3}, /*keepdim=*/true);
  return (x - mean) / (variance + 1e-5).sqrt();
}

at::Tensor images(std::int64_t count) {
  return (torch::randn({count, 3, 5, 4}) * 2 + 1).contiguous(at::MemoryFormat::ChannelsLast);
}

const TrainingContext on_a_cpu;
const InstanceNorm norm(on_a_cpu);

TEST(InstanceNorm, NormsEachImageByItself) {
  for (const std::int64_t count : {1, 2, 3}) {
    const at::Tensor x = images(count);
    const at::Tensor y = norm(x);
    EXPECT_TRUE(at::allclose(y, plain(x), 1e-4, 1e-5)) << count;
    EXPECT_TRUE(y.is_contiguous(at::MemoryFormat::ChannelsLast)) << count;
  }
}

TEST(InstanceNorm, HasTheGradientOfItsFormula) {
  for (const std::int64_t count : {1, 2}) {
    const at::Tensor x = images(count).requires_grad_();
    const at::Tensor weights = torch::randn_like(x);
    const at::Tensor ours = torch::autograd::grad({(norm(x) * weights).sum()}, {x})[0];
    const at::Tensor expected = torch::autograd::grad({(plain(x) * weights).sum()}, {x})[0];
    EXPECT_TRUE(at::allclose(ours, expected, 1e-3, 1e-5)) << count;
  }
}

TEST(InstanceNorm, IsFollowedByWhatItsNameSays) {
  const at::Tensor x = images(2);
  const at::Tensor residual = images(2);
  EXPECT_TRUE(at::allclose(norm_relu(norm, x), plain(x).relu(), 1e-4, 1e-5));
  EXPECT_TRUE(
      at::allclose(norm_leaky_relu(norm, x, 0.2), at::leaky_relu(plain(x), 0.2), 1e-4, 1e-5));
  EXPECT_TRUE(at::allclose(norm_add(norm, x, residual), plain(x) + residual, 1e-4, 1e-5));
}

TEST(Reflect, MirrorsAtTheEdge) {
  const at::Tensor x = torch::arange(9, at::kFloat).view({1, 1, 3, 3});
  const at::Tensor y = Reflect(on_a_cpu, 1)(x);
  EXPECT_TRUE(at::equal(y.slice(2, 1, 4).slice(3, 1, 4), x));
  EXPECT_EQ(y[0][0][0][0].item<float>(), 4);  // the middle, seen in the corner
  EXPECT_EQ(y[0][0][1][0].item<float>(), 1);
}

}  // namespace
}  // namespace trainmark::train
