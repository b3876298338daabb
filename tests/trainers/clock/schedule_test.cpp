#include "clock/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"

namespace trainmark::clock {
namespace {

train::Options options(std::int64_t batch = 1, std::uint64_t seed = 1) {
  train::Options result;
  result.size = "tiny";
  result.batch = batch;
  result.seed = seed;
  return result;
}

constexpr std::int64_t one_ms = 1'000'000;

TEST(Schedule, IsExactWithoutNoise) {
  const Schedule schedule({}, options());
  for (int step = 0; step < 10; ++step) EXPECT_EQ(schedule.duration_ns(step), one_ms);
  EXPECT_DOUBLE_EQ(schedule.truth(10).at("items_per_second"), 1000);
}

TEST(Schedule, WarmsUpEvenly) {
  const Schedule schedule({.warmup_steps = 4, .warmup_factor = 3}, options());
  EXPECT_EQ(schedule.duration_ns(0), 3 * one_ms);
  EXPECT_EQ(schedule.duration_ns(2), 2 * one_ms);
  EXPECT_EQ(schedule.duration_ns(4), one_ms);
  EXPECT_EQ(schedule.truth(100).at("first_steady_step"), 4);
  EXPECT_EQ(schedule.truth(100).at("scheduled").at("steps"), 96);
}

TEST(Schedule, DriftsThrottlesAndSlowsDown) {
  EXPECT_EQ(Schedule({.drift = 0.5}, options()).duration_ns(1000), 3 * one_ms / 2);
  const Schedule throttled({.throttle_after = 5, .throttle_factor = 2}, options());
  EXPECT_EQ(throttled.duration_ns(5), one_ms);
  EXPECT_EQ(throttled.duration_ns(6), 2 * one_ms);
  EXPECT_DOUBLE_EQ(Schedule({.slowdown = 25}, options()).truth(10).at("items_per_second"), 800);
}

TEST(Schedule, HasTheNoiseThatWasAskedFor) {
  const Schedule schedule({.noise = 0.1}, options());
  constexpr int steps = 20'000;
  double sum = 0;
  double squares = 0;
  for (int step = 0; step < steps; ++step) {
    const double ms = static_cast<double>(schedule.duration_ns(step)) / one_ms;
    sum += ms;
    squares += ms * ms;
  }
  const double mean = sum / steps;
  EXPECT_NEAR(mean, 1, 0.004);
  EXPECT_NEAR(std::sqrt(squares / steps - mean * mean), 0.1, 0.004);
}

TEST(Schedule, GivesEverySeedItsOwnSpeed) {
  const Shape shape{.run_spread = 0.05};
  const double first = Schedule(shape, options(1, 1)).truth(1).at("items_per_second");
  const double second = Schedule(shape, options(1, 2)).truth(1).at("items_per_second");
  EXPECT_NE(first, second);
  EXPECT_EQ(first, Schedule(shape, options(1, 1)).truth(1).at("items_per_second"));
  EXPECT_DOUBLE_EQ(Schedule(shape, options(1, 1)).truth(1).at("items_per_second_median_run"), 1000);
}

TEST(Schedule, VariesItemsAroundTheBatch) {
  const Schedule schedule({.items_vary = true}, options(32));
  std::int64_t sum = 0;
  std::set<std::int64_t> seen;
  for (int step = 0; step < 10'000; ++step) {
    sum += schedule.items(step);
    seen.insert(schedule.items(step));
  }
  EXPECT_EQ(*seen.begin(), 16);
  EXPECT_EQ(*seen.rbegin(), 48);
  EXPECT_EQ(seen.size(), 33);
  EXPECT_NEAR(static_cast<double>(sum) / 10'000, 32, 0.5);
  EXPECT_THROW(Schedule({.items_vary = true}, options(1)), UserError);
}

}  // namespace
}  // namespace trainmark::clock
