#include "measure/window.h"

#include <gtest/gtest.h>

#include <cmath>

#include "case_name.h"
#include "measure/simulated_trainer.h"

namespace trainmark {
namespace {

std::vector<Step> steps_of(std::initializer_list<std::pair<double, double>> seconds_and_items) {
  std::vector<Step> steps;
  double now = 50;
  for (const auto& [seconds, items] : seconds_and_items) {
    now += seconds;
    steps.push_back({static_cast<std::int64_t>(steps.size()), now, seconds, items});
  }
  return steps;
}

TEST(Throughput, IsItemsOverTimeAndNotAMeanOfRates) {
  const auto steps = steps_of({{1, 10}, {4, 10}, {1, 10}, {4, 10}});
  const Throughput figure = throughput(steps, {0, 4});
  EXPECT_DOUBLE_EQ(figure.items, 40);
  EXPECT_DOUBLE_EQ(figure.seconds, 10);
  EXPECT_DOUBLE_EQ(figure.value, 4);  // the mean of rates would be 6.25
  EXPECT_TRUE(figure.interval.contains(4));
}

TEST(Throughput, CountsFromTheEndOfTheStepBeforeTheWindow) {
  auto steps = steps_of({{9, 10}, {1, 10}, {1, 10}});
  for (std::size_t i = 1; i < 3; ++i) steps[i].end += 0.5 * static_cast<double>(i);  // gaps
  EXPECT_DOUBLE_EQ(step_interval(steps, 0), 9);
  EXPECT_DOUBLE_EQ(step_interval(steps, 1), 1.5);
  EXPECT_DOUBLE_EQ(throughput(steps, {1, 3}).seconds, 3);
  EXPECT_DOUBLE_EQ(throughput(steps, {0, 3}).seconds, 12);
}

TEST(Throughput, OfNothingIsNothing) {
  const auto steps = steps_of({{1, 10}});
  EXPECT_EQ(throughput(steps, {1, 1}).value, 0);
  EXPECT_TRUE(std::isinf(throughput(steps, {1, 1}).relative_error));
  const Throughput one = throughput(steps, {0, 1});
  EXPECT_DOUBLE_EQ(one.value, 10);
  EXPECT_TRUE(std::isinf(one.relative_error));  // one step says nothing of its noise
  EXPECT_EQ(throughput(steps_of({{0, 10}, {0, 10}}), {0, 2}).value, 0);
  EXPECT_EQ(throughput(steps_of({{1, 0}, {1, 0}}), {0, 2}).value, 0);
}

TEST(Throughput, IsNoLessCertainThanItsOwnSteps) {
  std::vector<Step> steps;
  double end = 0;
  for (const double seconds : {1.0, 1.1, 2.0}) {
    Step step;
    step.seconds = seconds;
    step.end = end += seconds;
    step.items = 8;
    steps.push_back(step);
  }
  const Throughput result = throughput(steps, {0, 3});
  EXPECT_GE(result.interval.low, 4);
  EXPECT_LE(result.interval.high, 8);
  EXPECT_LT(result.interval.low, result.value);
  EXPECT_GT(result.interval.high, result.value);
}

TEST(Throughput, StepsThatVaryInLengthButNotInSpeedHaveNoError) {
  const auto steps = steps_of({{1, 10}, {3, 30}, {2, 20}, {5, 50}, {1, 10}});
  EXPECT_NEAR(throughput(steps, {0, 5}).relative_error, 0, 1e-12);
}

struct WindowCase {
  const char* name;
  double correlation;
  std::size_t steps;
  double least_coverage, most_coverage;

  friend void PrintTo(const WindowCase& it, std::ostream* out) { *out << it.name; }
};

class FixedWindow : public testing::TestWithParam<WindowCase> {};

/// No stopping rule, so this is the error estimate alone: 1000 windows each.
TEST_P(FixedWindow, IntervalCoversTheTruth) {
  const WindowCase& c = GetParam();
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SimulatedRun run({.correlation = c.correlation}, seed);
    const Throughput figure = throughput(run.run_to(c.steps), {0, c.steps});
    covered += figure.interval.contains(SimulatedTrainer{}.true_throughput());
  }
  EXPECT_GE(covered, 1000 * c.least_coverage) << c.name;
  EXPECT_LE(covered, 1000 * c.most_coverage) << c.name;
}

INSTANTIATE_TEST_SUITE_P(Noise, FixedWindow,
                         testing::Values(WindowCase{"white, few", 0, 30, 0.93, 0.98},
                                         WindowCase{"white, many", 0, 300, 0.93, 0.98},
                                         WindowCase{"correlated", 0.5, 200, 0.92, 0.99},
                                         WindowCase{"strongly correlated", 0.8, 600, 0.92, 0.99}),
                         named_cases);

TEST(Throughput, IntervalIsNotWiderThanIndependentStepsNeed) {
  double width = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SimulatedRun run({}, seed);
    const Throughput figure = throughput(run.run_to(100), {0, 100});
    width += std::log(figure.interval.high / figure.value) / 200;
  }
  const double ideal = 1.984 * 0.02 / 10;
  EXPECT_LT(width, 1.2 * ideal);
  EXPECT_GT(width, ideal);
}

}  // namespace
}  // namespace trainmark
