#include "report/content/step_trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace trainmark {
namespace {

std::vector<Step> steps_of(const std::vector<double>& seconds) {
  std::vector<Step> steps;
  double end = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    end += seconds[i];
    steps.push_back(
        {.index = static_cast<std::int64_t>(i), .end = end, .seconds = seconds[i], .items = 1});
  }
  return steps;
}

TEST(StepTrace, FewStepsAreAllThere) {
  const std::vector<double> seconds = {0.5, 0.1, 0.2};
  const StepTrace trace = thin_steps(seconds, 10);
  EXPECT_EQ(trace.bucket, 1u);
  EXPECT_EQ(trace.low, seconds);
  EXPECT_TRUE(trace.high.empty());
}

TEST(StepTrace, ThinningLosesNoExtreme) {
  std::vector<double> seconds(1003, 1.0);
  seconds[517] = 50;
  seconds[900] = 0.25;
  const StepTrace trace = thin_steps(seconds, 20);
  EXPECT_EQ(trace.steps, 1003u);
  EXPECT_LE(trace.low.size(), 20u);
  EXPECT_EQ(trace.high.size(), trace.low.size());
  EXPECT_EQ(trace.high[517 / trace.bucket], 50);
  EXPECT_EQ(trace.low[900 / trace.bucket], 0.25);
}

TEST(StepTrace, NoStepsNoTrace) {
  EXPECT_TRUE(thin_steps({}, 10).low.empty());
  EXPECT_TRUE(histogram({}).counts.empty());
  EXPECT_TRUE(thin_losses({}, 10).at.empty());
}

TEST(StepTrace, IntervalsHoldTheGapsBetweenSteps) {
  std::vector<Step> steps = steps_of({1, 1, 1});
  steps[2].end += 5;
  EXPECT_EQ(step_intervals(steps), (std::vector<double>{1, 1, 6}));
}

TEST(LossTrace, KeepsFirstLastAndWhatIsNotANumber) {
  std::vector<Step> steps = steps_of(std::vector<double>(100, 1.0));
  for (std::size_t i = 0; i < steps.size(); i += 3) {  // told every third step, the last time at 99
    steps[i].has_loss = true;
    steps[i].loss = 100 - static_cast<double>(i);
  }
  steps[0].loss = std::nan("");
  const LossTrace trace = thin_losses(steps, 10);
  EXPECT_LE(trace.at.size(), 11u);
  EXPECT_EQ(trace.at.front(), 0u);
  EXPECT_TRUE(std::isnan(trace.losses.front()));
  EXPECT_EQ(trace.at.back(), 99u);
  EXPECT_EQ(trace.losses.back(), 1);
}

TEST(Histogram, CountsEveryStepOnceAndSetsStallsAside) {
  std::vector<double> seconds;
  for (int i = 0; i < 1000; ++i) seconds.push_back(1 + 0.001 * (i % 100));
  seconds.push_back(90);
  const Histogram bars = histogram(seconds);
  const std::size_t counted = std::accumulate(bars.counts.begin(), bars.counts.end(), bars.beyond);
  EXPECT_EQ(counted, seconds.size());
  EXPECT_GE(bars.beyond, 1u);
  EXPECT_EQ(bars.longest, 90);
  EXPECT_EQ(bars.from, 1);
  EXPECT_LT(bars.from + bars.width * static_cast<double>(bars.counts.size()), 1.2);
}

TEST(Histogram, EqualStepsAreOneBar) {
  const Histogram bars = histogram(std::vector<double>(50, 0.005));
  EXPECT_EQ(bars.counts, (std::vector<std::size_t>{50}));
  EXPECT_EQ(bars.beyond, 0u);
}

}  // namespace
}  // namespace trainmark
