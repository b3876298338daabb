#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "case_name.h"
#include "measure/comparison.h"
#include "measure/result.h"
#include "measure/simulated_trainer.h"

// The promises of docs/measuring.md, held against simulated trainers whose truth is known. Seeds
// are fixed: a test that passes once passes always.

namespace trainmark {
namespace {

TEST(Accuracy, SlowWarmUpAndNoiseLeaveATenthOfAPercent) {
  const SimulatedTrainer trainer{.seconds = 0.01, .warmup_factor = 10, .warmup_steps = 30};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto runs = measure_runs(trainer, "adaptive", {{"interval", 0.001}}, 3, seed);
    EXPECT_NEAR(combine_runs(runs).value / trainer.true_throughput(), 1, 0.001) << seed;
  }
}

/// The mean error of many runs: what averaging more runs would never remove.
TEST(Accuracy, WarmUpsLeaveNoBias) {
  for (const double factor : {3.0, 42.0}) {
    for (const double fade : {1.0, 3.0, 10.0}) {
      const SimulatedTrainer trainer{.warmup_factor = factor, .warmup_steps = fade};
      double bias = 0;
      for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto runs = measure_runs(trainer, "adaptive", {}, 1, seed);
        bias += std::log(runs[0].throughput.value / trainer.true_throughput()) / 200;
      }
      EXPECT_LT(std::abs(bias), 0.0008) << factor << " " << fade;  // its own error is 0.0002
    }
  }
}

struct Case {
  const char* name;
  SimulatedTrainer trainer;
  int rounds;

  friend void PrintTo(const Case& it, std::ostream* out) { *out << it.name; }
};

class Coverage : public testing::TestWithParam<Case> {};

TEST_P(Coverage, OfTheIntervalIsNinetyToNinetyNinePercent) {
  const Case& c = GetParam();
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto runs = measure_runs(c.trainer, "adaptive", {}, c.rounds, 10000 + seed);
    covered += combine_runs(runs).interval.contains(c.trainer.true_throughput());
  }
  EXPECT_GE(covered, 180) << c.name;
  EXPECT_LE(covered, 198) << c.name;
}

INSTANTIATE_TEST_SUITE_P(
    Noise, Coverage,
    testing::Values(
        Case{"one run, white", {}, 1}, Case{"one run, correlated", {.correlation = 0.5}, 1},
        Case{"white", {.run_spread = 0.003}, 3},
        Case{"correlated", {.correlation = 0.5, .run_spread = 0.003}, 3},
        Case{"strongly correlated", {.correlation = 0.8, .run_spread = 0.003}, 3},
        Case{"warm-up", {.run_spread = 0.003, .warmup_factor = 10, .warmup_steps = 3}, 3},
        Case{"varying length", {.run_spread = 0.003, .items_spread = 0.5}, 3}),
    named_cases);

/// Answers in 100 comparisons of three rounds each: 2 % noise, 0.3 % between runs.
std::map<Answer, int> answers(double slow_down) {
  const SimulatedTrainer base{.run_spread = 0.003};
  SimulatedTrainer next = base;
  next.seconds *= 1 + slow_down;
  std::map<Answer, int> counts;
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const auto base_runs = measure_runs(base, "adaptive", {}, 3, 20000 + 2 * trial);
    const auto next_runs = measure_runs(next, "adaptive", {}, 3, 20001 + 2 * trial);
    ++counts[compare_runs(base_runs, next_runs).answer];
  }
  return counts;
}

TEST(Comparison, FindsASlowDownOfTwoPercent) {
  auto counts = answers(0.02);
  EXPECT_GE(counts[Answer::slower], 95);
  EXPECT_EQ(counts[Answer::faster] + counts[Answer::same], 0);
}

TEST(Comparison, FindsASpeedUpOfTwoPercent) {
  auto counts = answers(-0.02);
  EXPECT_GE(counts[Answer::faster], 95);
  EXPECT_EQ(counts[Answer::slower] + counts[Answer::same], 0);
}

TEST(Comparison, FindsASlowDownOfFivePercent) {
  EXPECT_GE(answers(0.05)[Answer::slower], 99);
}

TEST(Comparison, RaisesNoFalseAlarm) {
  auto counts = answers(0);
  EXPECT_LE(counts[Answer::slower], 1);
  EXPECT_LE(counts[Answer::faster], 1);
}

TEST(Comparison, SeldomCallsOnePercentTheSame) {
  // One percent is the limit itself: either answer is right, and mostly neither is clear.
  auto counts = answers(0.01);
  EXPECT_LE(counts[Answer::same], 5);
  EXPECT_EQ(counts[Answer::faster], 0);
}

/// Why the interval is Student's and not a bootstrap over runs: three runs resampled can only give
/// what they hold, and the percentile interval covers the truth far less often than it says.
TEST(Comparison, ABootstrapOfThreeRunsWouldUndercover) {
  Noise noise(1);
  int covered = 0;
  constexpr int trials = 500;
  for (int trial = 0; trial < trials; ++trial) {
    double base[3], next[3];
    for (double& run : base) run = noise.normal();
    for (double& run : next) run = noise.normal();
    std::vector<double> differences;
    for (int sample = 0; sample < 500; ++sample) {
      double difference = 0;
      for (int i = 0; i < 3; ++i) {
        difference += next[static_cast<int>(3 * noise.uniform())];
        difference -= base[static_cast<int>(3 * noise.uniform())];
      }
      differences.push_back(difference / 3);
    }
    const Interval interval{quantile(differences, 0.025), quantile(differences, 0.975)};
    covered += interval.contains(0);
  }
  EXPECT_LT(covered, trials * 85 / 100);
}

}  // namespace
}  // namespace trainmark
