#include "clock/learning.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "temporary_folder.h"
#include "trainers/support/program.h"

namespace trainmark::clock {
namespace {

TEST(LearningPlan, KnowsWhenTheTargetIsReached) {
  // 0.95 − 0.85 exp(−e) ≥ 0.9 from e = 2.83 on; evaluations are at every quarter.
  const LearningPlan plan({.steps_per_epoch = 40}, 1, 8);
  EXPECT_EQ(plan.truth().at("epochs"), 3);
  EXPECT_EQ(plan.truth().at("samples"), 3 * 40 * 8);
  EXPECT_NEAR(plan.quality_at(120), 0.95 - 0.85 * std::exp(-3.0), 1e-12);
  EXPECT_TRUE(LearningPlan({.steps_per_epoch = 40, .final_quality = 0.5}, 1, 8).truth().is_null());
}

TEST(LearningPlan, EvaluatesAtFractionsOfEpochsAndAtTheEnd) {
  const LearningPlan plan({.epochs = 1.1, .evaluate_every = 0.3, .steps_per_epoch = 10}, 1, 8);
  std::vector<std::int64_t> evaluated;
  for (std::int64_t step = 1; step <= plan.steps(); ++step)
    if (plan.evaluates_after(step)) evaluated.push_back(step);
  EXPECT_EQ(evaluated, (std::vector<std::int64_t>{3, 6, 9, 11}));
}

TEST(LearningPlan, DiffersBySeedOnlyWhereItIsAskedTo) {
  const Learning spread{.learn_spread = 0.2};
  EXPECT_NE(LearningPlan(spread, 1, 8).quality_at(50), LearningPlan(spread, 2, 8).quality_at(50));
  EXPECT_EQ(LearningPlan({}, 1, 8).quality_at(50), LearningPlan({}, 2, 8).quality_at(50));
}

TEST(LearningCheckpoint, IsReadAsItWasWrittenAndOfNoOtherTraining) {
  const TemporaryFolder folder;
  Learning learning;
  learning.checkpoint = (folder / "c").string();
  EXPECT_EQ(load_checkpoint(learning, 1).step, 0);
  save_checkpoint(learning, 1, {.step = 7, .seconds = 1.5, .evaluations = {{{"step", 5}}}});
  const Learned learned = load_checkpoint(learning, 1);
  EXPECT_EQ(learned.step, 7);
  EXPECT_EQ(learned.seconds, 1.5);
  EXPECT_EQ(learned.evaluations.size(), 1U);
  EXPECT_THROW(load_checkpoint(learning, 2), UserError);
  write_file_atomically(folder / "c" / "checkpoint.json", "{\"seed\":1");
  EXPECT_THROW(load_checkpoint(learning, 1), UserError);
}

TEST(Clock, PlaysATrainingToQuality) {
  test::Program program({"trainmark-clock", "--size", "tiny", "--sleep", "--batch", "4", "--data",
                         "d", "--quality", "--epochs", "1", "--steps-per-epoch", "20",
                         "--evaluation-ms", "3"});
  EXPECT_EQ(program.finish(), 0);
  EXPECT_EQ(program.events("step").size(), 20U);
  const auto evaluations = program.events("evaluation");
  ASSERT_EQ(evaluations.size(), 4U);
  EXPECT_EQ(evaluations[1].at("step"), 10);
  EXPECT_EQ(evaluations[1].at("samples"), 40);
  EXPECT_GE(evaluations[1].at("seconds").get<double>(), 0.003);
  EXPECT_EQ(program.events().front().at("quality").at("steps_per_epoch"), 20);
  EXPECT_EQ(program.events().back().at("why"), "steps");
}

TEST(Clock, RefusesAQualityWithoutData) {
  test::Program program({"trainmark-clock", "--quality"});
  EXPECT_EQ(program.finish(), 2);
}

}  // namespace
}  // namespace trainmark::clock
