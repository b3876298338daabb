#include "measure/comparison.h"

#include <gtest/gtest.h>

#include <limits>

#include "measure/made_up_runs.h"

namespace trainmark {
namespace {

TEST(Comparison, ClearCases) {
  const auto base = runs_with({100, 100.1, 99.9});
  EXPECT_EQ(compare_runs(base, runs_with({98, 98.1, 97.9})).answer, Answer::slower);
  EXPECT_EQ(compare_runs(base, runs_with({102, 102.1, 101.9})).answer, Answer::faster);
  EXPECT_EQ(compare_runs(base, runs_with({100.2, 100.1, 100})).answer, Answer::same);
  const Comparison slower = compare_runs(base, runs_with({98, 98.1, 97.9}));
  EXPECT_NEAR(slower.ratio, 0.98, 1e-4);
  EXPECT_TRUE(slower.interval.contains(0.98));
  EXPECT_FALSE(slower.interval.contains(1));
  EXPECT_TRUE(slower.why.empty());
}

TEST(Comparison, IsSymmetric) {
  const auto one = runs_with({100, 101, 99.5}, 0.003);
  const auto other = runs_with({103, 103.5, 102}, 0.002);
  const Comparison there = compare_runs(one, other);
  const Comparison back = compare_runs(other, one);
  EXPECT_NEAR(there.ratio * back.ratio, 1, 1e-12);
  EXPECT_NEAR(there.interval.low * back.interval.high, 1, 1e-12);
  EXPECT_EQ(there.answer, Answer::faster);
  EXPECT_EQ(back.answer, Answer::slower);
}

TEST(Comparison, ASmallCertainDifferenceIsNoAlarm) {
  const auto next = runs_with({99.5, 99.51, 99.49}, 0.0001);
  EXPECT_EQ(compare_runs(runs_with({100, 100.01, 99.99}, 0.0001), next).answer, Answer::same);
  EXPECT_EQ(compare_runs(runs_with({100, 100.01, 99.99}, 0.0001), next, {.same = 0.001}).answer,
            Answer::slower);
}

TEST(Comparison, UnclearSaysHowManyRoundsWouldSettleIt) {
  const Comparison comparison =
      compare_runs(runs_with({100, 101, 99}), runs_with({98, 99.5, 97.5}));
  EXPECT_EQ(comparison.answer, Answer::unclear);
  EXPECT_GE(comparison.more_rounds, 1);
  EXPECT_LE(comparison.more_rounds, 10);
  EXPECT_NE(comparison.why.find("more rounds"), std::string::npos);
}

TEST(Comparison, AtTheLimitItselfNoNumberOfRoundsHelps) {
  const Comparison comparison =
      compare_runs(runs_with({100, 100.5, 99.5}), runs_with({99.02, 99.52, 98.52}));
  EXPECT_EQ(comparison.answer, Answer::unclear);
  EXPECT_EQ(comparison.more_rounds, 0);
}

TEST(Comparison, OneRunIsNeverEnough) {
  const Comparison comparison = compare_runs(runs_with({100}), runs_with({50, 50, 50}));
  EXPECT_EQ(comparison.answer, Answer::unclear);
  EXPECT_EQ(comparison.more_rounds, 2);
  EXPECT_NEAR(comparison.ratio, 0.5, 1e-12);
  EXPECT_NE(comparison.why.find("base has only one run"), std::string::npos);
}

TEST(Comparison, WithoutAFigureThereIsNothingToCompare) {
  const Comparison comparison = compare_runs(runs_with({100, 100}), {});
  EXPECT_EQ(comparison.answer, Answer::unclear);
  EXPECT_NE(comparison.why.find("new has no successful run"), std::string::npos);
  EXPECT_EQ(comparison.more_rounds, 0) << "more of what fails settles nothing";
  const Comparison failed = compare_runs({}, {});
  EXPECT_EQ(failed.more_rounds, 0);
  EXPECT_EQ(failed.why, "both sides have no successful run: there is nothing to compare");
}

TEST(Comparison, RunsThatAgreeByLuckAreNotBelieved) {
  // Each run knows itself to ±2 % only.
  const auto base = runs_with({100, 100, 100}, 0.02);
  EXPECT_EQ(compare_runs(base, runs_with({98.5, 98.5, 98.5}, 0.02)).answer, Answer::unclear);
}

TEST(Comparison, AnswersHaveNames) {
  EXPECT_STREQ(text(Answer::faster), "faster");
  EXPECT_STREQ(text(Answer::slower), "slower");
  EXPECT_STREQ(text(Answer::same), "same");
  EXPECT_STREQ(text(Answer::unclear), "unclear");
}

}  // namespace
}  // namespace trainmark
