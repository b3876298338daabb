#include "cpu/dropout.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/types.h>

namespace trainmark::train {
namespace {

constexpr double rate = 0.1;

/// Which of so many ones are kept.
at::Tensor kept(std::int64_t count) {
  return cpu_dropout(torch::ones({count}), rate).ne(0).to(at::kDouble);
}

TEST(DropoutOnCpu, DropsItsShareAndScalesTheOthers) {
  torch::manual_seed(1);
  const at::Tensor x = torch::randn({1000, 1000});
  const at::Tensor y = cpu_dropout(x, rate);
  const at::Tensor dropped = y.eq(0);
  EXPECT_NEAR(dropped.to(at::kDouble).mean().item<double>(), rate, 5 * 0.3 / 1000);
  EXPECT_TRUE(at::allclose(y, at::where(dropped, 0, x / (1 - rate)), 1e-6, 0));
}

TEST(DropoutOnCpu, DropsEachElementForItself) {
  torch::manual_seed(2);
  const std::int64_t count = 1 << 20;
  const double spread = 1 / std::sqrt(static_cast<double>(count));
  const at::Tensor first = (kept(count) - (1 - rate)) / std::sqrt(rate * (1 - rate));
  const at::Tensor second = (kept(count) - (1 - rate)) / std::sqrt(rate * (1 - rate));
  EXPECT_NEAR((first * second).mean().item<double>(), 0, 5 * spread) << "of another call";
  for (const std::int64_t distance : {1, 2, 3, 4, 16, 64, 512, 4096, 65536}) {
    const at::Tensor neighbours = first * first.roll(distance);
    EXPECT_NEAR(neighbours.mean().item<double>(), 0, 5 * spread) << distance << " further on";
  }
}

TEST(DropoutOnCpu, DropsTheSameOnTheWayBack) {
  torch::manual_seed(3);
  const at::Tensor x = torch::randn({64, 33}).abs().add(1).set_requires_grad(true);
  const at::Tensor y = cpu_dropout(x, rate);
  y.sum().backward();
  EXPECT_TRUE(at::allclose(x.grad(), (y / x).detach(), 1e-6, 0));
  EXPECT_TRUE(y.eq(0).any().item<bool>());
}

TEST(DropoutOnCpu, FollowsTheSeedAndNotTheThreads) {
  const auto drawn = [](int threads) {
    at::set_num_threads(threads);
    torch::manual_seed(4);
    return kept(100'000);
  };
  const int before = at::get_num_threads();
  const at::Tensor alone = drawn(1);
  const at::Tensor together = drawn(3);
  at::set_num_threads(before);
  EXPECT_TRUE(at::equal(alone, together));
  EXPECT_FALSE(at::equal(alone, kept(100'000))) << "the next call";
}

}  // namespace
}  // namespace trainmark::train
