#include "measure/run_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/simulated_trainer.h"

namespace trainmark {
namespace {

constexpr Decision fixed_stop() {
  return {true, "fixed", true};
}

struct Checked {
  RunSummary summary;
  Verdicts verdicts;

  bool has(const char* name) const {
    return std::any_of(verdicts.begin(), verdicts.end(),
                       [&](const Verdict& verdict) { return verdict.name == name; });
  }
  std::string message(const char* name) const {
    for (const Verdict& verdict : verdicts) {
      if (verdict.name == name) return verdict.message;
    }
    return "";
  }
};

Checked check(std::span<const Step> steps, const Decision& decision = fixed_stop()) {
  const auto rule = make_rule("fixed");
  Checked checked{summarize_run(steps, *rule, decision), {}};
  checked.verdicts = check_run(steps, checked.summary);
  return checked;
}

std::vector<Step> simulate(const SimulatedTrainer& trainer, std::size_t count = 150) {
  SimulatedRun run(trainer, 1);
  const auto steps = run.run_to(count);
  return {steps.begin(), steps.end()};
}

void stall(std::vector<Step>& steps, std::size_t at, double seconds) {
  steps[at].seconds += seconds;
  for (std::size_t i = at; i < steps.size(); ++i) steps[i].end += seconds;
}

TEST(RunSummary, TellsWhatTheRunGave) {
  const Checked run = check(simulate({}));
  EXPECT_EQ(run.summary.steps, 150u);
  EXPECT_EQ(run.summary.warmup, 50u);
  EXPECT_EQ(run.summary.used, 100u);
  EXPECT_NEAR(run.summary.throughput.value, 320, 3);
  EXPECT_NEAR(run.summary.median_of_rates, 320, 3);
  EXPECT_GE(run.summary.mean_of_rates, run.summary.throughput.value);
  EXPECT_NEAR(run.summary.step_median, 0.1, 0.001);
  EXPECT_NEAR(run.summary.step_low, 0.0967, 0.001);
  EXPECT_NEAR(run.summary.step_high, 0.1033, 0.001);
  EXPECT_GT(run.summary.step_max, run.summary.step_high);
  EXPECT_DOUBLE_EQ(run.summary.first_loss.value(), 5);
  EXPECT_LT(run.summary.last_loss.value(), 5);
  EXPECT_EQ(run.summary.stopped, "fixed");
  EXPECT_TRUE(run.verdicts.empty()) << run.verdicts.front().name;
}

TEST(RunSummary, OfARunThatEndedByItself) {
  const Checked some = check(simulate({}, 80), {});
  EXPECT_EQ(some.summary.stopped, "ended");
  EXPECT_FALSE(some.summary.converged);
  EXPECT_TRUE(some.has("fewer-steps"));
  EXPECT_GT(some.summary.throughput.value, 0);

  const Checked none = check({}, {});
  EXPECT_EQ(none.summary.used, 0u);
  EXPECT_EQ(none.summary.throughput.value, 0);
  EXPECT_TRUE(none.has("fewer-steps"));
}

TEST(CheckRun, Plateau) {
  EXPECT_TRUE(check(simulate({.noise = 0.1}), {true, "plateau", true}).has("plateau"));
}

TEST(CheckRun, NoSteadyStateSaysHowManyMoreSteps) {
  const auto rule = make_rule("adaptive", {{"max_steps", 40}});
  SimulatedRun run({.warmup_factor = 10, .warmup_steps = 40}, 1);
  const RunSummary summary = measure_run(run, *rule);
  EXPECT_EQ(summary.throughput.value, 0);
  const Checked checked{summary, check_run(run.steps(), summary)};
  ASSERT_TRUE(checked.has("no-steady-state"));
  EXPECT_NE(checked.message("no-steady-state").find("more steps"), std::string::npos);
}

TEST(CheckRun, AFewSteadyStepsAreTooFew) {
  const std::vector<Step> steps = simulate({});
  const Checked checked = check({steps.begin(), steps.begin() + 3}, {});
  EXPECT_EQ(checked.message("no-steady-state"), "only 3 steps: too few for a figure");
}

TEST(CheckRun, OutliersAreCountedAndKept) {
  std::vector<Step> steps = simulate({});
  stall(steps, 100, 0.5);
  stall(steps, 120, 0.3);
  const Checked run = check(steps);
  EXPECT_NE(run.message("outliers").find("2 of 100"), std::string::npos) << run.message("outliers");
  EXPECT_NEAR(run.summary.throughput.seconds, 10.8, 0.2);
}

TEST(CheckRun, OutliersThatHardlyChangeTheFigureAreNotWorthAWord) {
  std::vector<Step> steps = simulate({});
  stall(steps, 100, 0.05);
  EXPECT_FALSE(check(steps).has("outliers"));
}

TEST(CheckRun, OfAFewStepsNobodyKnowsWhichAreOutliers) {
  std::vector<Step> steps = simulate({}, 70);  // the rule drops the first 50
  stall(steps, 60, 0.5);
  EXPECT_FALSE(check(steps).has("outliers"));
}

TEST(CheckRun, StepsOfVaryingLengthAreNoOutliers) {
  EXPECT_FALSE(check(simulate({.items_spread = 0.95})).has("outliers"));
}

TEST(CheckRun, MeanOfRatesDiffers) {
  std::vector<Step> steps = simulate({});
  for (std::size_t i = 0; i < steps.size(); i += 2) stall(steps, i, 0.1);
  EXPECT_TRUE(check(steps).has("mean-of-rates-differs"));
  EXPECT_FALSE(check(simulate({.noise = 0.05})).has("mean-of-rates-differs"));
}

TEST(CheckRun, Losses) {
  std::vector<Step> steps = simulate({});
  steps[140].loss = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(check(steps).has("loss-nan"));
  steps[140].loss = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(check(steps).has("loss-nan"));
  for (Step& step : steps) step.loss = 6.9;
  EXPECT_TRUE(check(steps).has("loss-flat"));
  steps.back().loss = 6.8;
  EXPECT_FALSE(check(steps).has("loss-flat"));
  for (Step& step : steps) step.has_loss = false;
  steps[0].loss = std::numeric_limits<double>::quiet_NaN();
  const Checked silent = check(steps);
  EXPECT_FALSE(silent.has("loss-nan"));
  EXPECT_FALSE(silent.has("loss-flat"));
  EXPECT_FALSE(silent.summary.first_loss.has_value());
}

TEST(CheckRun, GapsBetweenSteps) {
  EXPECT_TRUE(check(simulate({.gap = 0.05})).has("gaps-between-steps"));
  EXPECT_FALSE(check(simulate({.gap = 0.01})).has("gaps-between-steps"));
}

TEST(CheckRun, Drift) {
  const Checked run = check(simulate({.noise = 0.01, .drift = 0.0005}));
  ASSERT_TRUE(run.has("drift"));
  EXPECT_NE(run.message("drift").find("longer"), std::string::npos);
  EXPECT_TRUE(check(simulate({.noise = 0.01, .drift = -0.0005})).has("drift"));
  EXPECT_FALSE(check(simulate({.noise = 0.001, .drift = 0.00005})).has("drift"));  // 0.5 %
}

TEST(CheckRun, DriftIsNotSeenInNoise) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SimulatedRun run({.noise = 0.05, .correlation = 0.3}, seed);
    alarms += check(run.run_to(150)).has("drift");
  }
  EXPECT_LE(alarms, 3);
}

}  // namespace
}  // namespace trainmark
