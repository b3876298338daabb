#include "engine/course.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trainmark::train {
namespace {

Recipe recipe_with(Schedule schedule) {
  Recipe recipe;
  recipe.optimizer = Sgd{.learning_rate = 0.1};
  recipe.reference_batch = 128;
  recipe.schedule = schedule;
  recipe.evaluate_every = 0.25;
  return recipe;
}

/// Ten steps per epoch, and the learning rate as the recipe has it.
Course course_with(Schedule schedule) {
  return make_course(recipe_with(schedule), {.steps_per_epoch = 10, .items_per_step = 128});
}

TEST(Course, CountsItsStepsAndScalesItsRate) {
  const Course course =
      make_course(recipe_with({.warm_up = 0.25, .epochs = 1.5}),
                  {.steps_per_epoch = 10, .items_per_step = 512, .checkpoint_every = 0});
  EXPECT_EQ(course.steps, 15);
  EXPECT_EQ(course.warm_up, 3);  // 2.5: halves go up
  EXPECT_DOUBLE_EQ(course.learning_rate, 0.4);
}

TEST(Course, RisesInEqualStepsToItsHeight) {
  const Course course = course_with({.kind = Schedule::Kind::cosine, .warm_up = 0.4, .epochs = 2});
  EXPECT_DOUBLE_EQ(course.learning_rate_of(0), 0.025);
  EXPECT_DOUBLE_EQ(course.learning_rate_of(2), 0.075);
  EXPECT_DOUBLE_EQ(course.learning_rate_of(3), 0.1);
  EXPECT_DOUBLE_EQ(course.learning_rate_of(4), 0.1);  // where the descent begins
}

TEST(Course, DescendsByACosine) {
  const Course course = course_with({.kind = Schedule::Kind::cosine, .warm_up = 0.4, .epochs = 2});
  EXPECT_NEAR(course.learning_rate_of(12), 0.05, 1e-15);                        // half of 16 steps
  EXPECT_NEAR(course.learning_rate_of(8), 0.05 * (1 + std::sqrt(0.5)), 1e-15);  // a quarter
  EXPECT_NEAR(course.learning_rate_of(20), 0, 1e-15);
}

TEST(Course, DescendsInALine) {
  const Course course = course_with({.kind = Schedule::Kind::linear, .warm_up = 0.4, .epochs = 2});
  EXPECT_DOUBLE_EQ(course.learning_rate_of(8), 0.075);
  EXPECT_DOUBLE_EQ(course.learning_rate_of(16), 0.025);
}

TEST(Course, DescendsWithTheRootOfTheSteps) {
  const Course course =
      course_with({.kind = Schedule::Kind::inverse_sqrt, .warm_up = 0.4, .epochs = 2});
  EXPECT_DOUBLE_EQ(course.learning_rate_of(3), 0.1);
  EXPECT_DOUBLE_EQ(course.learning_rate_of(15), 0.05);  // four times as many steps
  const Course cold = course_with({.kind = Schedule::Kind::inverse_sqrt, .epochs = 2});
  EXPECT_DOUBLE_EQ(cold.learning_rate_of(0), 0.1);
  EXPECT_DOUBLE_EQ(cold.learning_rate_of(3), 0.05);
}

TEST(Course, MayStayWhereItIs) {
  const Course course = course_with({.kind = Schedule::Kind::constant, .epochs = 2});
  for (const std::int64_t step : {0, 7, 19}) {
    EXPECT_DOUBLE_EQ(course.learning_rate_of(step), 0.1) << step;
  }
}

TEST(Course, EvaluatesAtTheNearestStepsAndAtTheEnd) {
  const Course course = course_with({.epochs = 1.2});  // every 2.5 of 12 steps
  std::vector<std::int64_t> evaluated;
  for (std::int64_t step = 0; step <= 12; ++step) {
    if (course.evaluates_after(step)) evaluated.push_back(step);
  }
  EXPECT_EQ(evaluated, (std::vector<std::int64_t>{3, 5, 8, 10, 12}));
  EXPECT_DOUBLE_EQ(course.epoch_after(5), 0.5);
}

TEST(Course, EvaluatesAfterEveryStepWhereThatIsAskedFor) {
  Course course = course_with({.epochs = 1});
  course.evaluate_every = 0.01;
  for (std::int64_t step = 1; step <= 10; ++step) EXPECT_TRUE(course.evaluates_after(step)) << step;
}

TEST(Course, SavesOnlyWhereItIsToldTo) {
  Course course = course_with({.epochs = 1});
  for (std::int64_t step = 0; step <= 10; ++step) EXPECT_FALSE(course.saves_after(step)) << step;
  course.checkpoint_every = 0.4;
  EXPECT_TRUE(course.saves_after(4));
  EXPECT_FALSE(course.saves_after(5));
  EXPECT_TRUE(course.saves_after(8));
  EXPECT_TRUE(course.saves_after(10));
}

}  // namespace
}  // namespace trainmark::train
