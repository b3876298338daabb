#include "engine/loss_scale.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "engine/precision.h"

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

TEST(LossScale, IsNeededWhereSmallGradientsWouldBecomeZero) {
  for (const char* precision : {"fp16", "amp-fp16"}) EXPECT_TRUE(needs_loss_scale(precision));
  for (const char* precision : {"fp32", "tf32", "fp64", "amp-bf16"})
    EXPECT_FALSE(needs_loss_scale(precision)) << precision;
}

TEST(LossScale, DoublesAfterAsManyGoodSteps) {
  LossScale scale(at::kCPU, 65536);
  EXPECT_EQ(value_of(scale), 65536);
  take_steps(scale, good_steps - 1);
  EXPECT_EQ(value_of(scale), 65536);
  take_steps(scale, 1);
  EXPECT_EQ(value_of(scale), 131072);
  take_steps(scale, good_steps);
  EXPECT_EQ(value_of(scale), 262144);
}

TEST(LossScale, HalvesAfterAnOverflowAndBeginsToCountAnew) {
  LossScale scale(at::kCPU, 65536);
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
  const LossScale scale(at::kCPU, 65536);
  EXPECT_EQ(scale.scaled(torch::full({}, 0.5)).item<double>(), 32768);
}

TEST(LossScale, AnOverflowSkipsTheOptimizerThatHasIt) {
  LossScale scale(at::kCPU, 8);
  for (int step = 0; step < 2; ++step) {
    std::vector<at::Tensor> gradients = {torch::full({1}, INFINITY)};
    scale.inspect(gradients);
    scale.end_optimizer();
    gradients = {torch::full({1}, 1.0)};
    scale.inspect(gradients);
    EXPECT_EQ(scale.overflow().item<float>(), 0) << "of the second optimizer";
    scale.end_optimizer();
    scale.update();
    EXPECT_EQ(value_of(scale), step == 0 ? 4 : 2);
  }
}

TEST(LossScale, StaysWhereItIsFixed) {
  LossScale scale(at::kCPU, 8, /*fixed=*/true);
  std::vector<at::Tensor> gradients = {torch::full({1}, INFINITY)};
  scale.inspect(gradients);
  EXPECT_EQ(scale.overflow().item<float>(), 1);  // such a step is left out nevertheless
  scale.update();
  EXPECT_EQ(scale.value().item<float>(), 8);
  EXPECT_EQ(scale.overflow().item<float>(), 0);
}

}  // namespace
}  // namespace trainmark::train
