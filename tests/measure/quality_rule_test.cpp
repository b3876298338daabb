#include "measure/quality_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "measure/simulated_trainer.h"

namespace trainmark {
namespace {

QualityTask a_task() {
  return {.metric = "top-1 accuracy", .target = 0.9, .epochs = 4, .steps_per_epoch = 100};
}

/// Evaluations every half epoch.
std::vector<Evaluation> curve_of(const std::vector<double>& qualities) {
  std::vector<Evaluation> curve;
  for (const double quality : qualities) {
    Evaluation& evaluation = curve.emplace_back();
    const auto number = static_cast<double>(curve.size());
    evaluation.epoch = 0.5 * number;
    evaluation.samples = 6400 * number;
    evaluation.quality = quality;
    evaluation.loss = 1;
  }
  return curve;
}

/// What the rule says of a curve, after steps whose losses end with `loss`.
Decision decide_on(const std::vector<Evaluation>& curve, const QualityTask& task = a_task(),
                   const RuleValues& given = {}, double loss = 1, std::size_t losses = 20) {
  const auto rule = make_rule(quality_rule, given);
  std::vector<Step> steps(200);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].index = static_cast<std::int64_t>(i);
    steps[i].end = 0.1 * static_cast<double>(i + 1);
    steps[i].seconds = 0.1;
    steps[i].items = 64;
    steps[i].has_loss = true;
    steps[i].loss = i + losses >= steps.size() ? loss : 1;
  }
  rule->note(task, curve);
  return rule->decide(steps);
}

TEST(QualityRule, StopsAtTheTargetOfTheRecipe) {
  EXPECT_FALSE(decide_on(curve_of({0.5, 0.8, 0.899})).stop);
  const Decision decision = decide_on(curve_of({0.5, 0.8, 0.9}));
  EXPECT_TRUE(decision.stop);
  EXPECT_EQ(decision.why, "target");
  EXPECT_TRUE(decision.converged);
}

TEST(QualityRule, StopsAtATargetOfItsOwn) {
  EXPECT_FALSE(decide_on(curve_of({0.5, 0.91}), a_task(), {{"target", 0.95}}).stop);
  EXPECT_EQ(decide_on(curve_of({0.5, 0.7}), a_task(), {{"target", 0.7}}).why, "target");
}

TEST(QualityRule, KnowsWhereLowerIsBetter) {
  QualityTask task = a_task();
  task.higher_is_better = false;
  task.target = 0.2;
  EXPECT_FALSE(decide_on(curve_of({0.9, 0.5, 0.21}), task).stop);
  EXPECT_EQ(decide_on(curve_of({0.9, 0.5, 0.2}), task).why, "target");
}

TEST(QualityRule, GivesUpAtTheLastEpochWhichMayEndAStepEarly) {
  std::vector<Evaluation> curve = curve_of({0.5, 0.6, 0.7, 0.7, 0.8, 0.8, 0.8, 0.8});
  curve.back().epoch = 3.98;
  EXPECT_FALSE(decide_on(curve).stop);
  curve.back().epoch = 3.991;
  const Decision decision = decide_on(curve);
  EXPECT_EQ(decision.why, "cap");
  EXPECT_FALSE(decision.converged);
}

TEST(QualityRule, GivesUpAfterHalfOfTheEpochsWithoutProgress) {
  EXPECT_FALSE(decide_on(curve_of({0.1, 0.1, 0.1})).stop);  // too early to say
  EXPECT_FALSE(decide_on(curve_of({0.1, 0.1, 0.1, 0.1})).stop);
  EXPECT_EQ(decide_on(curve_of({0.1, 0.1, 0.09, 0.1, 0.1})).why, "no-progress");
  EXPECT_FALSE(decide_on(curve_of({0.1, 0.1, 0.11, 0.1, 0.1})).stop);
  QualityTask task = a_task();
  task.higher_is_better = false;
  task.target = 0.01;
  EXPECT_EQ(decide_on(curve_of({0.1, 0.1, 0.11, 0.1, 0.1}), task).why, "no-progress");
  task.epochs = 10;
  EXPECT_FALSE(decide_on(curve_of({0.1, 0.1, 0.11, 0.1, 0.1}), task).stop) << "a quarter of it";
}

TEST(QualityRule, GivesUpWhenNoLossIsFiniteAnyMore) {
  EXPECT_FALSE(decide_on(curve_of({0.5}), a_task(), {}, NAN, 19).stop);
  const Decision decision = decide_on(curve_of({0.5}), a_task(), {}, NAN, 20);
  EXPECT_EQ(decision.why, "nan-loss");
  EXPECT_FALSE(decision.converged);
  EXPECT_EQ(decide_on({}, a_task(), {}, NAN, 20).why, "nan-loss");
}

TEST(QualityRule, WaitsForLossesBeforeItGivesUp) {
  const auto rule = make_rule(quality_rule, {});
  rule->note(a_task(), {});
  std::vector<Step> steps(3);  // a loss scaler that begins too high skips the first ones
  for (Step& step : steps) {
    step.has_loss = true;
    step.loss = NAN;
  }
  EXPECT_FALSE(rule->decide(steps).stop);
}

TEST(QualityRule, GivesUpWhenTwoEvaluationsHaveNoFiniteLoss) {
  std::vector<Evaluation> curve = curve_of({0.5, 0.5, 0.5});
  curve[2].loss = NAN;
  EXPECT_FALSE(decide_on(curve).stop);
  curve[1].loss = NAN;
  EXPECT_EQ(decide_on(curve).why, "nan-loss");
  EXPECT_EQ(decide_on(curve_of({0.5, NAN, NAN})).why, "nan-loss");
}

TEST(QualityRule, ReachesNothingWithoutATarget) {
  QualityTask task = a_task();
  task.target.reset();
  EXPECT_FALSE(decide_on(curve_of({0.5, 1.0}), task).stop);
}

TEST(QualityRule, TrainsFiveSeeds) {
  const RuleKind& kind = *Registry<RuleKind>::find(quality_rule);
  EXPECT_EQ(kind.rounds, 5);
  EXPECT_TRUE(kind.trains_to_quality);
}

}  // namespace
}  // namespace trainmark
