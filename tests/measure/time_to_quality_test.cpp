#include "measure/time_to_quality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace trainmark {
namespace {

using Trials = std::vector<QualityTrial>;

/// Trainings whose samples have these logarithms, at a speed of 100 samples/s; those that need more
/// than the cap are given up there.
Trials trials_of(const std::vector<double>& logs, double cap = 1e9) {
  Trials made;
  for (const double log : logs) {
    const double samples = std::exp(std::min(log, cap));
    made.push_back({samples, samples / 100, log < cap});
  }
  return made;
}

TEST(TimeToQuality, IsTheProductOfItsFactors) {
  const Trials made = {{1000, 20, true}, {2000, 30, true}, {1500, 40, true}};
  const TimeToQuality found = time_to_quality(made);
  EXPECT_EQ(found.trials, 3U);
  EXPECT_EQ(found.reached, 3U);
  EXPECT_NEAR(found.samples.mean, std::cbrt(1000.0 * 2000 * 1500), 1e-3);
  EXPECT_NEAR(found.seconds.mean, found.samples.mean * found.seconds_per_sample.mean, 1e-4);
}

TEST(TimeToQuality, HasStudentsIntervalWhereAllReachTheTarget) {
  // Of 1, 2, 3: mean 2, standard deviation 1, t(0.975, 2) = 4.302653.
  const TimeToQuality found = time_to_quality(trials_of({1, 2, 3}));
  const double half_width = 4.302653 / std::sqrt(3.0);
  EXPECT_NEAR(std::log(found.samples.interval.low), 2 - half_width, 1e-4);
  EXPECT_NEAR(std::log(found.samples.interval.high), 2 + half_width, 1e-4);
}

TEST(TimeToQuality, CountsATrainingThatMissedTheTargetAsALongerOne) {
  const Trials without = trials_of({1.0, 1.2, 1.1, 0.9});
  Trials with = without;
  with.push_back({std::exp(1.3), std::exp(1.3) / 100, false});
  const TimeToQuality found = time_to_quality(with);
  EXPECT_EQ(found.reached, 4U);
  EXPECT_GT(found.samples.mean, time_to_quality(without).samples.mean);
  Trials as_if_reached = with;
  as_if_reached.back().reached = true;
  EXPECT_GT(found.samples.mean, 1.01 * time_to_quality(as_if_reached).samples.mean);
  EXPECT_NEAR(found.seconds_per_sample.mean, 0.01, 1e-9) << "known of every training";
}

TEST(TimeToQuality, KnowsNoUpperEndWhereHardlyAnyReachedTheTarget) {
  const TimeToQuality found = time_to_quality(trials_of({1.0, 3.0, 4.0}, 2.0));
  EXPECT_EQ(found.reached, 1U);
  EXPECT_TRUE(std::isinf(found.samples.interval.high));
  EXPECT_NEAR(found.samples.interval.low, std::exp(1.0), 1e-9);
  const TimeToQuality none = time_to_quality(trials_of({3.0, 4.0}, 2.0));
  EXPECT_EQ(none.reached, 0U);
  EXPECT_NEAR(none.samples.interval.low, std::exp(2.0), 1e-9);
}

TEST(TimeToQuality, RefusesTrialsWithoutNumbers) {
  EXPECT_THROW(time_to_quality({}), std::invalid_argument);
  EXPECT_THROW(time_to_quality(Trials{{0, 1, true}}), std::invalid_argument);
  EXPECT_THROW(time_to_quality(Trials{{1, NAN, true}}), std::invalid_argument);
}

Trials drawn(std::mt19937_64& source, std::size_t count, double mean, double cap) {
  std::normal_distribution<double> normal(mean, 0.2);
  std::vector<double> logs(count);
  for (double& log : logs) log = normal(source);
  return trials_of(logs, cap);
}

TEST(TimeToQuality, CoversTheTruthAlsoWhereTrainingsMissTheTarget) {
  constexpr int experiments = 150;
  for (const double cap : {1e9, 10.05}) {  // four of ten trainings miss the second
    std::mt19937_64 source(1);
    int covered = 0, told = 0;
    for (int i = 0; i < experiments; ++i) {
      const TimeToQuality found = time_to_quality(drawn(source, 5, 10, cap));
      if (found.reached < 2) continue;
      ++told;
      covered += found.samples.interval.contains(std::exp(10.0));
    }
    EXPECT_GT(told, experiments * 0.85) << "with cap " << cap;
    EXPECT_GE(covered, told * 0.91) << "with cap " << cap;
  }
}

TEST(CompareQuality, NamesTheFactorThatDiffers) {
  // Twice the samples at the same speed; then the same samples at half the speed.
  const Trials base = trials_of({9.0, 9.05, 8.95, 9.02, 8.98});
  Trials hungry = base, slow = base;
  for (QualityTrial& trial : hungry) {
    trial.samples *= 2;
    trial.seconds *= 2;
  }
  for (QualityTrial& trial : slow) trial.seconds *= 2;
  const QualityComparison more = compare_quality(base, hungry);
  EXPECT_NEAR(more.samples.ratio, 2, 1e-6);
  EXPECT_EQ(more.samples.answer, Answer::slower);
  EXPECT_EQ(more.seconds_per_sample.answer, Answer::same);
  EXPECT_EQ(more.seconds.answer, Answer::slower);
  const QualityComparison slower = compare_quality(base, slow);
  EXPECT_EQ(slower.samples.answer, Answer::same);
  EXPECT_EQ(slower.seconds_per_sample.answer, Answer::slower);
  EXPECT_EQ(compare_quality(slow, base).seconds_per_sample.answer, Answer::faster);
}

TEST(CompareQuality, IsUnclearWhereTheTargetIsMissed) {
  const Trials base = trials_of({9.0, 9.05, 8.95});
  const Trials missed = trials_of({12, 12, 12}, 11);
  const QualityComparison found = compare_quality(base, missed);
  EXPECT_EQ(found.samples.answer, Answer::unclear);
  EXPECT_TRUE(std::isnan(found.samples.ratio));
}

TEST(CompareQuality, SeesThatOneSideNeverReachesTheTarget) {
  const Trials base = trials_of({9.0, 9.05, 8.95, 9.02, 8.98});
  const Trials missed = trials_of({12, 12, 12, 12, 12}, 11);
  const QualityComparison worse = compare_quality(base, missed);
  EXPECT_EQ(worse.samples.answer, Answer::slower);
  EXPECT_TRUE(std::isinf(worse.samples.ratio));
  EXPECT_EQ(compare_quality(missed, base).samples.answer, Answer::faster);
  EXPECT_EQ(compare_quality(missed, base).samples.ratio, 0);
  EXPECT_EQ(compare_quality(missed, missed).samples.answer, Answer::unclear);
  // Given up before the others had reached it: nobody knows.
  const Trials early = trials_of({12, 12, 12, 12, 12}, 8);
  EXPECT_EQ(compare_quality(base, early).samples.answer, Answer::unclear);
}

TEST(CompareQuality, OfTheSameTrainingHardlyEverFindsADifference) {
  std::mt19937_64 source(2);
  constexpr int experiments = 40;
  int alarms = 0;
  for (int i = 0; i < experiments; ++i) {
    const Answer answer =
        compare_quality(drawn(source, 5, 10, 10.17), drawn(source, 5, 10, 10.17)).samples.answer;
    alarms += answer == Answer::faster || answer == Answer::slower;
  }
  EXPECT_LE(alarms, 4);
}

}  // namespace
}  // namespace trainmark
