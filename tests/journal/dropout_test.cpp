#include "journal/dropout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "user_error.h"

namespace trainmark {
namespace {

constexpr double rate = 0.75;

/// Losses that fall from 6 to 5 in a curve, with normal noise around it.
std::vector<double> losses_of(unsigned seed, double scatter, double above = 0, int steps = 200) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> noise(0, scatter);
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step)
    losses.push_back(5 + std::exp(-0.02 * step) + above + noise(generator));
  return losses;
}

TEST(Dropout, TheSameLossesDifferByNothing) {
  const auto losses = losses_of(1, 0.3);
  const DropoutDifference difference = compare_dropout(losses, losses, rate);
  EXPECT_EQ(difference.mean, 0);
  EXPECT_EQ(difference.scatter, 1);
  EXPECT_EQ(difference.errors(), 0);
  EXPECT_EQ(difference.rate, rate);
  EXPECT_EQ(difference.steps, 200);
}

TEST(Dropout, StandardErrorsAreWhatChanceDoes) {
  constexpr unsigned trials = 400;
  double means = 0, scatters = 0;
  for (unsigned trial = 0; trial < trials; ++trial) {
    const DropoutDifference difference =
        compare_dropout(losses_of(2 * trial, 0.3), losses_of(2 * trial + 1, 0.3), rate);
    means += std::pow(difference.mean / difference.mean_error, 2);
    scatters += std::pow(std::log(difference.scatter) / difference.scatter_error, 2);
  }
  EXPECT_NEAR(means / trials, 1, 0.25);
  EXPECT_NEAR(scatters / trials, 1, 0.25);
}

TEST(Dropout, TellsMeanAndScatter) {
  const DropoutDifference higher =
      compare_dropout(losses_of(1, 0.3), losses_of(2, 0.3, /*above=*/0.2), rate);
  EXPECT_NEAR(higher.mean, 0.2 / 5.25, 0.015);
  EXPECT_GT(higher.errors(), 4);
  const DropoutDifference calmer = compare_dropout(losses_of(1, 0.3), losses_of(2, 0.075), rate);
  EXPECT_NEAR(calmer.scatter, 1.0 / 16, 0.03);
  EXPECT_GT(calmer.errors(), 10);
}

TEST(Dropout, ATrendIsNoScatter) {
  const DropoutDifference difference =
      compare_dropout(losses_of(1, 0.01), losses_of(2, 0.01), rate);
  EXPECT_LT(difference.errors(), 4) << "falling by a hundred times as much";
  EXPECT_NEAR(difference.scatter, 1, 0.6);
}

TEST(Dropout, LossesWithoutAnyScatterDropTheSameInEveryStep) {
  const DropoutDifference difference =
      compare_dropout(losses_of(1, 0.3), std::vector<double>(200, 5.25), rate);
  EXPECT_EQ(difference.scatter, 0);
  EXPECT_TRUE(std::isinf(difference.errors()));
}

TEST(Dropout, RefusesWhatCannotBeCompared) {
  const auto losses = losses_of(1, 0.3);
  EXPECT_EQ(user_error_of([&] { compare_dropout(losses, losses_of(2, 0.3, 0, 100), rate); }),
            "with dropout it reported 100 losses, the reference 200");
  auto broken = losses;
  broken[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(user_error_of([&] { compare_dropout(losses, broken, rate); }),
            "with dropout, a loss is not a number");
  EXPECT_EQ(user_error_of([&] { compare_dropout(std::vector<double>(200, 5.25), losses, rate); }),
            "with dropout, the losses of the reference do not scatter: it drops nothing");
}

}  // namespace
}  // namespace trainmark
