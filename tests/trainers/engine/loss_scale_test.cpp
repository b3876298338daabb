#include "engine/loss_scale.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace trainmark::train {
namespace {

constexpr int good_steps = 2000;  // after which the scale grows (docs/workloads.md)

/// Steps whose gradients are finite, or not.
void take_steps(LossScale& scale, int count, float gradient = 1) {
  for (int step = 0; step < count; ++step) {
    std::vector<at::Tensor> gradients = {torch::full({1}, gradient)};
    scale.inspect(gradients);
    scale.update();
  }
}

double value_of(const LossScale& scale) {
  return scale.value().item<double>();
}

TEST(LossScale, DoublesAfterAsManyGoodSteps) {
  LossScale scale(at::kCPU);
  EXPECT_EQ(value_of(scale), 65536);
  take_steps(scale, good_steps - 1);
  EXPECT_EQ(value_of(scale), 65536);
  take_steps(scale, 1);
  EXPECT_EQ(value_of(scale), 131072);
  take_steps(scale, good_steps);
  EXPECT_EQ(value_of(scale), 262144);
}

TEST(LossScale, HalvesAfterAnOverflowAndBeginsToCountAnew) {
  LossScale scale(at::kCPU);
  take_steps(scale, good_steps - 1);
  take_steps(scale, 1, INFINITY);
  EXPECT_EQ(value_of(scale), 32768);
  take_steps(scale, 1);
  EXPECT_EQ(value_of(scale), 32768) << "one overflow is one";
  take_steps(scale, good_steps - 2);
  EXPECT_EQ(value_of(scale), 32768);
  take_steps(scale, 1);
  EXPECT_EQ(value_of(scale), 65536);
}

TEST(LossScale, MultipliesTheLoss) {
  const LossScale scale(at::kCPU);
  EXPECT_EQ(scale.scaled(torch::full({}, 0.5)).item<double>(), 32768);
}

}  // namespace
}  // namespace trainmark::train
