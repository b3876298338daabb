#include "measure/change_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace trainmark {

namespace {

constexpr int simulated = 4000;
constexpr double day_noise = 0.02;

/// Results whose speed falls by `step` (in log seconds) at `at`.
template <class Distribution>
std::vector<double> made_history(std::size_t size, std::size_t at, double step,
                                 Distribution& distribution, std::mt19937_64& random) {
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i)
    values.push_back(-5 + (i >= at ? step : 0) + day_noise * distribution(random));
  return values;
}

template <class Distribution>
double share_with_alarms(std::size_t size, Distribution distribution) {
  std::mt19937_64 random(20261115);
  int alarms = 0;
  for (int i = 0; i < simulated; ++i)
    alarms += !find_changes(made_history(size, size, 0, distribution, random)).changes.empty();
  return static_cast<double>(alarms) / simulated;
}

TEST(ChangePoints, FalseAlarmsAreAsRareAsPromised) {
  for (const std::size_t size : {4, 6, 10, 30})
    EXPECT_LE(share_with_alarms(size, std::normal_distribution<double>()), 0.013) << size;
}

TEST(ChangePoints, FalseAlarmsStayRareWhereNoiseHasHeavyTails) {
  EXPECT_LE(share_with_alarms(12, std::student_t_distribution<double>(3)), 0.04);
}

TEST(ChangePoints, AChangeOfTenDeviationsIsFoundWhereItIs) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  int found = 0;
  for (int i = 0; i < 500; ++i) {
    const ChangeHistory history = find_changes(made_history(12, 8, 10 * day_noise, normal, random));
    found += history.changes.size() == 1 && history.changes[0].at == 8;
  }
  EXPECT_GE(found, 485);
}

TEST(ChangePoints, TheIntervalHoldsTheTrueChange) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  int found = 0;
  int held = 0;
  for (int i = 0; i < 1000; ++i) {
    const ChangeHistory history = find_changes(made_history(16, 8, 10 * day_noise, normal, random));
    if (history.changes.size() != 1) continue;
    ++found;
    held += history.changes[0].interval.contains(std::exp(-10 * day_noise));
  }
  EXPECT_GE(found, 950);
  EXPECT_GE(held, 0.93 * found);
  EXPECT_LE(held, 0.98 * found);
}

TEST(ChangePoints, TheBandHoldsAFurtherResult) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  int held = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::vector<double> values = made_history(7, 7, 0, normal, random);
    const auto part = find_changes(std::span(values).first(6)).parts.front();
    held += part.band.contains(values.back());
  }
  EXPECT_GE(held, 0.93 * 2000);
  EXPECT_LE(held, 0.97 * 2000);
}

TEST(ChangePoints, SeveralChangesAreAllFound) {
  const std::vector<double> values = {1.000, 1.001, 0.999, 1.000, 1.101, 1.100,
                                      1.099, 1.100, 0.949, 0.951, 0.950, 0.950};
  const ChangeHistory history = find_changes(values);
  ASSERT_EQ(history.changes.size(), 2U);
  EXPECT_EQ(history.changes[0].at, 4U);
  EXPECT_NEAR(history.changes[0].ratio, std::exp(-0.1), 1e-3);
  EXPECT_EQ(history.changes[1].at, 8U);
  EXPECT_EQ(history.parts.size(), 3U);
}

TEST(ChangePoints, TooFewResultsOrTooSmallADifferenceTellNothing) {
  EXPECT_TRUE(find_changes(std::vector<double>{}).parts.empty());
  EXPECT_TRUE(find_changes(std::vector<double>{1, 1, 2}).changes.empty());
  EXPECT_TRUE(find_changes(std::vector<double>{1, 1, 1, 1.005, 1.005, 1.005}).changes.empty());
  EXPECT_TRUE(std::isinf(find_changes(std::vector<double>{1}).parts[0].band.high));
  EXPECT_EQ(find_changes(std::vector<double>{1, 1, 1, 2, 2, 2}).changes.size(), 1U);
}

}  // namespace

}  // namespace trainmark
