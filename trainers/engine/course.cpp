#include "engine/course.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trainmark::train {
namespace {

/// Halves go up, as in all frameworks.
std::int64_t rounded(double steps) {
  return static_cast<std::int64_t>(std::floor(steps + 0.5));
}

/// Whether `done` steps are a multiple of so many, to the nearest step.
bool is_due(std::int64_t done, double steps_between) {
  if (done < 1 || steps_between <= 0) return false;
  const double times = std::floor(static_cast<double>(done) / steps_between + 0.5);
  // The neighbours' roundings may meet here, too.
  for (const double k : {times - 1, times, times + 1}) {
    if (k >= 1 && rounded(k * steps_between) == done) return true;
  }
  return false;
}

}  // namespace

double Course::learning_rate_of(std::int64_t step) const {
  const auto t = static_cast<double>(step);
  if (step < warm_up) return learning_rate * (t + 1) / static_cast<double>(warm_up);
  const double progress = static_cast<double>(step - warm_up) /
                          static_cast<double>(std::max<std::int64_t>(1, steps - warm_up));
  switch (kind) {
    case Schedule::Kind::cosine:
      return learning_rate * (1 + std::cos(std::numbers::pi * progress)) / 2;
    case Schedule::Kind::linear:
      return learning_rate * (1 - progress);
    case Schedule::Kind::inverse_sqrt:
      return learning_rate *
             std::sqrt(static_cast<double>(std::max<std::int64_t>(1, warm_up)) / (t + 1));
    case Schedule::Kind::constant:
      break;
  }
  return learning_rate;
}

bool Course::evaluates_after(std::int64_t done) const {
  return done == steps || is_due(done, evaluate_every * static_cast<double>(steps_per_epoch));
}

bool Course::saves_after(std::int64_t done) const {
  if (checkpoint_every <= 0) return false;
  return done == steps || is_due(done, checkpoint_every * static_cast<double>(steps_per_epoch));
}

double Course::epoch_after(std::int64_t done) const {
  return static_cast<double>(done) / static_cast<double>(steps_per_epoch);
}

Course make_course(const Recipe& recipe, const CourseSetup& setup) {
  const auto in_steps = [&](double epochs) {
    return rounded(epochs * static_cast<double>(setup.steps_per_epoch));
  };
  const double height =
      std::visit([](const auto& settings) { return settings.learning_rate; }, recipe.optimizer);
  return {.steps_per_epoch = setup.steps_per_epoch,
          .steps = std::max<std::int64_t>(1, in_steps(recipe.schedule.epochs)),
          .warm_up = in_steps(recipe.schedule.warm_up),
          .learning_rate = height * static_cast<double>(setup.items_per_step) /
                           static_cast<double>(recipe.reference_batch),
          .kind = recipe.schedule.kind,
          .evaluate_every = recipe.evaluate_every,
          .checkpoint_every = setup.checkpoint_every};
}

}  // namespace trainmark::train
