#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <numbers>

#include "measure/plateau.h"
#include "measure/simulated_trainer.h"

namespace trainmark {
namespace {

RunSummary measure(const SimulatedTrainer& trainer, const RuleValues& values = {},
                   std::uint64_t seed = 1) {
  return measure_runs(trainer, "adaptive", values, 1, seed).front();
}

TEST(AdaptiveRule, NeedsAThirdOfTheFixedStepsOnAQuietTrainer) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RunSummary run = measure({.noise = 0.01}, {}, seed);
    EXPECT_EQ(run.stopped, "interval");
    EXPECT_TRUE(run.converged);
    EXPECT_LE(run.steps, 50u);
    EXPECT_GE(run.used, 30u);
    EXPECT_LE(run.throughput.interval.high / run.throughput.value - 1, 0.00502);
  }
}

TEST(AdaptiveRule, WaitsForItsLeastStepsAndSeconds) {
  const RunSummary quick = measure({.seconds = 0.001, .noise = 0.001});
  EXPECT_GE(quick.throughput.seconds, 3);
  const RunSummary slow = measure({.seconds = 1, .noise = 0.001});
  EXPECT_GE(slow.used, 30u);
  EXPECT_LT(slow.used, 40u);
}

TEST(AdaptiveRule, StopsAtTheCapAndSaysSo) {
  const RunSummary steps = measure({.noise = 0.2}, {{"max_steps", 200}});
  EXPECT_EQ(steps.stopped, "cap");
  EXPECT_FALSE(steps.converged);
  EXPECT_GE(steps.steps, 200u);
  EXPECT_LT(steps.steps, 210u);
  EXPECT_GT(steps.throughput.value, 0);
  const RunSummary seconds = measure({.noise = 0.2}, {{"max_seconds", 10}});
  EXPECT_EQ(seconds.stopped, "cap");
  EXPECT_NEAR(static_cast<double>(seconds.steps), 100, 15);
}

/// A compiler and an autotuner take far longer than all steps that are measured.
TEST(AdaptiveRule, SetUpInTheFirstStepsDoesNotEatTheCap) {
  const auto rule = make_rule("adaptive", {{"max_seconds", 4}, {"min_seconds", 1}});
  std::vector<Step> steps;
  double now = 0;
  Decision decision;
  while (!decision.stop) {
    const double set_up[] = {25, 6, 0.05, 8};
    const double seconds = steps.size() < 4 ? set_up[steps.size()] : 0.05;
    now += seconds;
    steps.push_back({static_cast<std::int64_t>(steps.size()), now, seconds, 32});
    decision = rule->decide(steps);
  }
  EXPECT_EQ(decision.why, "interval");
  EXPECT_GE(rule->window(steps).size(), 30u);
}

TEST(AdaptiveRule, DoesNotStopInsideTheWarmUp) {
  const SimulatedTrainer trainer{.noise = 0.01, .warmup_factor = 5, .warmup_steps = 20};
  const RunSummary run = measure(trainer);
  EXPECT_EQ(run.stopped, "interval");
  EXPECT_GT(run.warmup, 80u);
  EXPECT_NEAR(run.throughput.value / trainer.true_throughput(), 1, 0.005);
}

TEST(AdaptiveRule, StepsAfterTheDecisionCountButMoveNoCut) {
  const auto rule = make_rule("adaptive");
  SimulatedRun run({.noise = 0.01, .warmup_factor = 10, .warmup_steps = 2}, 4);
  const RunSummary before = measure_run(run, *rule);
  const Window window = rule->window(run.run_to(before.steps + 7));
  EXPECT_EQ(window.first, before.warmup);
  EXPECT_EQ(window.last, before.steps + 7);
}

/// The period of this wander grows with the time that is watched, so no length of run averages it
/// away.
TEST(AdaptiveRule, StopsWhereMoreStepsNoLongerHelp) {
  const auto rule = make_rule("adaptive", {{"max_steps", 100000}, {"max_seconds", 100000}});
  std::vector<Step> steps;
  Noise noise(3);
  double now = 0;
  Decision decision;
  std::size_t look = 10;
  while (!decision.stop) {
    const auto index = static_cast<double>(steps.size());
    const double wander = 0.1 * std::sin(2 * std::numbers::pi * 8 * std::log2(index + 10));
    const double seconds = 0.1 * (1 + wander + 0.01 * noise.normal());
    now += seconds;
    steps.push_back({static_cast<std::int64_t>(steps.size()), now, seconds, 32});
    if (steps.size() < look) continue;
    decision = rule->decide(steps);
    look += 1 + look / 50;
  }
  EXPECT_EQ(decision.why, "plateau");
  EXPECT_GT(steps.size(), 300u);
  EXPECT_LT(steps.size(), 5000u);
}

TEST(AdaptiveRule, SeesNoPlateauInIndependentNoise) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    EXPECT_EQ(measure({.noise = 0.05}, {{"max_seconds", 1000}}, seed).stopped, "interval");
  }
}

TEST(Plateau, NeedsManyLooksAtGrowingCounts) {
  Plateau plateau(100, 0.05);
  for (int look = 0; look < 1000; ++look) plateau.add(100, 0.01);
  EXPECT_FALSE(plateau.reached());  // nothing was added to the run
  double steps = 100;
  for (int look = 0; look < 100; ++look) {
    steps *= 1.03;
    plateau.add(static_cast<std::size_t>(steps), 0.01);
  }
  EXPECT_TRUE(plateau.reached());
}

TEST(Plateau, IsNotAShrinkingInterval) {
  Plateau plateau(100, 0.05);
  double steps = 100;
  for (int look = 0; look < 300; ++look) {
    steps *= 1.02;
    plateau.add(static_cast<std::size_t>(steps), 1 / std::sqrt(steps));
    ASSERT_FALSE(plateau.reached());
  }
}

/// Processor time of one decision, the least of a few: a busy machine must not matter.
double seconds_to_decide(std::span<const Step> steps) {
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto rule = make_rule("adaptive", {{"interval", 0.0001}, {"max_steps", 1e7}});
    const std::clock_t begin = std::clock();
    rule->decide(steps);
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

TEST(AdaptiveRule, DecidesInLinearTime) {
  SimulatedRun run({.seconds = 0.0001}, 1);
  const auto steps = run.run_to(800000);
  // Eight times the steps; quadratic cost would be 64 times.
  EXPECT_LT(seconds_to_decide(steps), 24 * seconds_to_decide(steps.first(100000)));
}

}  // namespace
}  // namespace trainmark
