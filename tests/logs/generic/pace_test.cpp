#include "logs/generic/pace.h"

#include <gtest/gtest.h>
#include <cmath>

namespace trainmark {
namespace {

std::vector<StepPace> paces_of(const PaceRules& rules,
                               const std::vector<CounterReading>& readings) {
  PaceKeeper keeper(rules);
  std::vector<StepPace> paces;
  for (const CounterReading& reading : readings) keeper.add(reading, paces);
  return paces;
}

double steps_of(const std::vector<StepPace>& paces) {
  double steps = 0;
  for (const StepPace& pace : paces) steps += pace.steps;
  return steps;
}

double seconds_of(const std::vector<StepPace>& paces) {
  double seconds = 0;
  for (const StepPace& pace : paces) seconds += pace.steps * pace.seconds;
  return seconds;
}

TEST(StepPace, OfAStepCountsForTheStepsSinceTheLineBefore) {
  const auto paces = paces_of({.time = TimeMeaning::per_step},
                              {{.counter = 10, .time = 0.5}, {.counter = 20, .time = 0.25}});
  ASSERT_EQ(paces.size(), 2U);
  EXPECT_EQ(paces[0].steps, 1);  // how many came before it is unknown
  EXPECT_EQ(paces[1].steps, 10);
  EXPECT_EQ(paces[1].seconds, 0.25);
}

TEST(StepPace, OfPartsIsTheirSumOnceTheStepIsWhole) {
  const auto paces =
      paces_of({.time = TimeMeaning::per_step, .parts = 2}, {{.counter = 1, .time = 0.5},
                                                             {.counter = 1, .time = 0.25},
                                                             {.counter = 2, .time = 0.5},
                                                             {.counter = 3, .time = 0.5},
                                                             {.counter = 3, .time = 0.5}});
  ASSERT_EQ(paces.size(), 2U);
  EXPECT_EQ(paces[0].seconds, 0.75);
  EXPECT_EQ(paces[1].seconds, 1);
  EXPECT_EQ(paces[1].steps, 2);
}

TEST(StepPace, OfAnIntervalIsDividedByItsSteps) {
  const auto paces = paces_of({.time = TimeMeaning::per_interval},
                              {{.counter = 10, .time = 5}, {.counter = 20, .time = 2.5}});
  ASSERT_EQ(paces.size(), 2U);
  EXPECT_EQ(paces[1].seconds, 0.25);
}

TEST(StepPace, OfAMeanSinceThePassBeganIsTakenApart) {
  // 1 s for the first of ten steps, 0.1 s for all others.
  const auto paces = paces_of({.time = TimeMeaning::pass_mean, .zero_based = true},
                              {{.counter = 0, .total = 20, .time = 1},
                               {.counter = 9, .total = 20, .time = 1.9 / 10},
                               {.counter = 19, .total = 20, .time = 2.9 / 20},
                               {.counter = 0, .total = 20, .time = 3}});
  ASSERT_EQ(paces.size(), 4U);
  EXPECT_NEAR(paces[1].seconds, 0.1, 1e-12);
  EXPECT_NEAR(paces[2].seconds, 0.1, 1e-12);
  EXPECT_EQ(paces[3].seconds, 3);
  EXPECT_EQ(paces[3].pass, 1);
}

TEST(StepPace, OfACoarseClockIsTakenFromSeveralLines) {
  std::vector<CounterReading> readings;
  for (int n = 1; n <= 100; ++n)
    readings.push_back(
        {.counter = static_cast<double>(n), .total = 100, .time = std::floor(n / 2.0)});
  readings.push_back({.counter = 1, .total = 100, .time = 0});
  const auto paces =
      paces_of({.time = TimeMeaning::cumulative, .sum_restarts = true, .resolution = 1}, readings);
  EXPECT_LE(paces.size(), 5U);
  EXPECT_NEAR(seconds_of(paces) / steps_of(paces), 0.5, 0.02);
}

TEST(StepPace, OfAClockThatWasSetToZeroGoesOnFromThere) {
  const auto paces = paces_of({.time = TimeMeaning::cumulative}, {{.counter = 9, .time = 90},
                                                                  {.counter = 10, .time = 100},
                                                                  {.counter = 11, .time = 1},
                                                                  {.counter = 12, .time = 2}});
  ASSERT_EQ(paces.size(), 2U);
  EXPECT_EQ(paces[0].seconds, 10);
  EXPECT_EQ(paces[1].seconds, 1);
}

TEST(StepPace, LeavesOutWhatLiesBetweenTwoPasses) {
  const auto paces = paces_of({.time = TimeMeaning::wall},
                              {{.counter = 1, .total = 2, .wall = 0},
                               {.counter = 2, .total = 2, .wall = 1},
                               {.counter = 1, .total = 2, .wall = 100},  // an evaluation
                               {.counter = 2, .total = 2, .wall = 101}});
  ASSERT_EQ(paces.size(), 2U);
  EXPECT_EQ(paces[0].seconds, 1);
  EXPECT_EQ(paces[1].seconds, 1);
}

TEST(StepPace, TellsPassesFromRestarts) {
  const PaceRules rules{.time = TimeMeaning::per_step};
  const std::vector<CounterReading> passes = {{.counter = 5, .epoch = 0, .time = 1},
                                              {.counter = 9, .epoch = 0, .time = 1},
                                              {.counter = 5, .epoch = 1, .time = 1}};
  EXPECT_FALSE(paces_of(rules, passes).back().restart);
  EXPECT_EQ(paces_of(rules, passes).back().steps, 5);
  const std::vector<CounterReading> restarts = {
      {.counter = 5, .time = 1}, {.counter = 9, .time = 1}, {.counter = 5, .time = 1}};
  EXPECT_TRUE(paces_of(rules, restarts).back().restart);
  EXPECT_EQ(paces_of(rules, restarts).back().steps, 1);
}

TEST(StepPace, CountsARepeatedLineOnce) {
  const auto paces =
      paces_of({.time = TimeMeaning::per_step},
               {{.counter = 5, .time = 1}, {.counter = 5, .time = 1}, {.counter = 6, .time = 1}});
  EXPECT_EQ(paces.size(), 2U);
}

}  // namespace
}  // namespace trainmark
