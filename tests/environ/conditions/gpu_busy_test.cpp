#include "environ/conditions/gpu_busy.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trainmark {
namespace {

TEST(GpuBusy, IsTheMeanOfTheLooksBetweenTwoMoments) {
  const GpuBusy looks = {{1, 0.2}, {2, 0.4}, {3, 1.0}, {2, 0.6}};
  EXPECT_DOUBLE_EQ(mean_busy(looks, 1, 2).value(), 0.4);
  EXPECT_DOUBLE_EQ(mean_busy(looks, 3, 3).value(), 1.0);
  EXPECT_FALSE(mean_busy(looks, 4, 5));
}

TEST(GpuBusy, OfManyHoursIsThinnedOutOnItsWayHome) {
  GpuBusy looks;
  for (int second = 0; second < 100'000; ++second) looks.emplace_back(second, second % 2);
  const nlohmann::json sent = busy_json(looks);
  EXPECT_LE(sent.size(), 5000U);
  const GpuBusy read = read_gpu_busy(sent, 1000);
  EXPECT_EQ(read.size(), sent.size());
  EXPECT_EQ(read.front().first, 1000);
  EXPECT_NEAR(read.back().first, 101'000, 50) << "all of the time is covered";
}

}  // namespace
}  // namespace trainmark
