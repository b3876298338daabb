#include "environ/conditions/gpu_power.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trainmark {
namespace {

/// Draws so much from second 1000 on.
GpuPower drawing(double watts, int seconds = 20) {
  GpuPower gpu;
  for (int second = 0; second <= seconds; ++second) gpu.energy.add(1000 + second, watts * second);
  return gpu;
}

GpuPower sampled(double watts) {
  GpuPower gpu;
  gpu.sampled_watts = watts;
  return gpu;
}

TEST(GpuPower, IsThatOfAllGpusTogether) {
  EXPECT_EQ(total_watts({}, 1000, 1010), std::nullopt);
  EXPECT_DOUBLE_EQ(total_watts({drawing(300), sampled(200)}, 1005, 1015).value(), 500);
  EXPECT_EQ(total_watts({drawing(300), GpuPower()}, 1005, 1015), std::nullopt)
      << "one that does not tell makes the sum unknown";
}

TEST(GpuPower, SurvivesTheWayFromAnotherMachine) {
  const auto there = power_json({drawing(300), sampled(200)});
  const GpuPowers here = read_gpu_powers(there, -900);
  ASSERT_EQ(here.size(), 2U);
  EXPECT_DOUBLE_EQ(here[0].watts(105, 115).value(), 300) << "in our clock";
  EXPECT_EQ(here[0].watts(1005, 1015), std::nullopt);
  EXPECT_DOUBLE_EQ(here[1].watts(105, 115).value(), 200);
}

TEST(GpuPower, ALongTraceIsThinnedOutAndDrawsAsMuch) {
  const auto there = power_json({drawing(300, 50'000)});
  EXPECT_LE(there.at(0).at("energy").size(), 1000U);
  EXPECT_DOUBLE_EQ(read_gpu_powers(there, 0).at(0).watts(2000, 40'000).value(), 300);
}

TEST(GpuPower, DamageIsLeftOut) {
  using Json = nlohmann::json;
  EXPECT_TRUE(read_gpu_powers(Json("text"), 0).empty());
  const GpuPowers gpus =
      read_gpu_powers(Json::parse(R"([7, {"energy": 3}, {"energy": [[1], ["a", 2], null]}])"), 0);
  for (const GpuPower& gpu : gpus) EXPECT_EQ(gpu.watts(0, 1e9), std::nullopt);
}

}  // namespace
}  // namespace trainmark
