#pragma once

#include <cstdint>

#include "workload/recipe.h"

namespace trainmark::train {

/// When a training to quality evaluates, writes checkpoints and ends, and its learning rate, all in
/// optimizer steps. Numbers in, numbers out.
struct Course {
  std::int64_t steps_per_epoch = 1;
  std::int64_t steps = 1;    // of the whole training
  std::int64_t warm_up = 0;  // steps in which the learning rate rises
  double learning_rate = 0;  // at its height
  Schedule::Kind kind = Schedule::Kind::constant;
  double evaluate_every = 1;    // epochs
  double checkpoint_every = 1;  // epochs; 0: never

  /// Of the step with this number, from 0.
  double learning_rate_of(std::int64_t step) const;

  // After so many steps.
  bool evaluates_after(std::int64_t done) const;
  bool saves_after(std::int64_t done) const;
  double epoch_after(std::int64_t done) const;
};

/// What a course is made from, beside the recipe.
struct CourseSetup {
  std::int64_t steps_per_epoch = 1;
  std::int64_t items_per_step = 1;  // of the whole job
  double checkpoint_every = 0;      // epochs; 0: none are written
};

Course make_course(const Recipe& recipe, const CourseSetup& setup);

}  // namespace trainmark::train
