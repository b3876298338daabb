#include "measure/quality_outcome.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

/// Ten steps of a second with 8 items, the first of which begins at 100 s.
std::vector<Step> ten_steps() {
  std::vector<Step> steps(10);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].index = static_cast<std::int64_t>(i);
    steps[i].end = 101 + static_cast<double>(i);
    steps[i].seconds = 1;
    steps[i].items = 8;
  }
  return steps;
}

Evaluation evaluated(double at, double samples, double quality) {
  Evaluation evaluation;
  evaluation.at = at;
  evaluation.samples = samples;
  evaluation.seconds = 0.5;
  evaluation.quality = quality;
  return evaluation;
}

QualityOutcome outcome_of(const QualityTask& task, const std::vector<Evaluation>& evaluations,
                          const std::vector<Step>& steps = ten_steps()) {
  const std::vector<Checkpoint> checkpoints = {{4, 0.25, 1000}, {8, 0.5, 1000}};
  return quality_outcome({task, steps, evaluations, checkpoints}, 0.9, "target");
}

TEST(QualityOutcome, CountsUntilTheEvaluationThatReachedTheTarget) {
  const QualityOutcome outcome =
      outcome_of({.metric = "m"},
                 {evaluated(104, 32, 0.5), evaluated(108, 64, 0.91), evaluated(110, 80, 0.95)});
  EXPECT_TRUE(outcome.reached);
  EXPECT_DOUBLE_EQ(outcome.seconds, 8);
  EXPECT_DOUBLE_EQ(outcome.samples, 64);
  EXPECT_DOUBLE_EQ(outcome.evaluation_seconds, 1.5);
  EXPECT_DOUBLE_EQ(outcome.checkpoint_seconds, 0.75);
  EXPECT_EQ(outcome.checkpoints, 2U);
  ASSERT_EQ(outcome.curve.size(), 3U);
  EXPECT_DOUBLE_EQ(outcome.curve[0].at, 4);
}

TEST(QualityOutcome, OfATrainingThatMissedItCountsUntilItsLastEvaluation) {
  const QualityOutcome outcome =
      outcome_of({.metric = "m"}, {evaluated(104, 32, 0.5), evaluated(108, 64, 0.6)});
  EXPECT_FALSE(outcome.reached);
  EXPECT_DOUBLE_EQ(outcome.seconds, 8);
  EXPECT_DOUBLE_EQ(outcome.samples, 64);
  EXPECT_FALSE(outcome.trial().reached);
}

TEST(QualityOutcome, WithoutAnyEvaluationCountsTheSteps) {
  const QualityOutcome outcome = outcome_of({.metric = "m"}, {});
  EXPECT_FALSE(outcome.reached);
  EXPECT_DOUBLE_EQ(outcome.seconds, 10);
  EXPECT_DOUBLE_EQ(outcome.samples, 80);
}

TEST(QualityOutcome, OfAResumedTrainingIsThatOfTheWhole) {
  QualityTask task{.metric = "m"};
  task.resumed = EarlierTraining{
      .step = 50, .samples = 400, .seconds = 60, .evaluations = {evaluated(30, 200, 0.4)}};
  const QualityOutcome outcome = outcome_of(task, {evaluated(108, 464, 0.92)});
  EXPECT_TRUE(outcome.reached);
  EXPECT_DOUBLE_EQ(outcome.seconds, 68);
  EXPECT_DOUBLE_EQ(outcome.samples, 464);
  EXPECT_EQ(outcome.resumed_at, 400);
  ASSERT_EQ(outcome.curve.size(), 2U);
  EXPECT_DOUBLE_EQ(outcome.curve[0].at, 30);
  EXPECT_DOUBLE_EQ(outcome.curve[1].at, 68);
  // Nothing was left to do.
  task.resumed->evaluations.push_back(evaluated(60, 400, 0.95));
  const QualityOutcome finished = outcome_of(task, {}, {});
  EXPECT_TRUE(finished.reached);
  EXPECT_DOUBLE_EQ(finished.seconds, 60);
}

TEST(QualityOutcome, OfATrainingThatWasGivenUpCountsAsOneToItsLastEpoch) {
  const QualityTask task{.metric = "m", .epochs = 4, .steps_per_epoch = 10};
  QualityOutcome outcome = outcome_of(task, {});
  EXPECT_DOUBLE_EQ(outcome.epoch, 1);
  EXPECT_DOUBLE_EQ(outcome.trial().samples, 80);
  for (const char* why : {"nan-loss", "no-progress"}) {
    outcome.why = why;
    EXPECT_DOUBLE_EQ(outcome.trial().samples, 320);
    EXPECT_DOUBLE_EQ(outcome.trial().seconds, 40);
  }
  outcome.why = "cap";
  EXPECT_DOUBLE_EQ(outcome.trial().samples, 80);
}

TEST(QualityOutcome, KnowsWhereLowerIsBetter) {
  const QualityTask task{.metric = "distance", .higher_is_better = false};
  EXPECT_FALSE(outcome_of(task, {evaluated(104, 32, 0.95)}).reached);
  EXPECT_TRUE(outcome_of(task, {evaluated(104, 32, 0.9)}).reached);
}

}  // namespace
}  // namespace trainmark
