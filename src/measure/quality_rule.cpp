#include "measure/quality_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/steady_state.h"

// Trains until the model is good enough. A training ends at its target, at its last epoch, or when
// it would be a waste to go on; docs/quality.md says when that is.

namespace trainmark {

namespace {

// The protocol's reader takes no more of them.
constexpr std::size_t most_quality_steps = 5'000'000;
// One loss that is not finite may be a step that a loss scaler skips; so many in a row are not.
constexpr std::size_t lost_steps = 20;
constexpr std::size_t lost_evaluations = 2;
constexpr double patience = 0.5;               // share of the epochs without any progress
constexpr std::size_t fewest_evaluations = 4;  // behind the first, before progress is judged

/// No loss of the last steps is finite.
bool has_lost_its_loss(std::span<const Step> steps) {
  std::size_t in_a_row = 0;
  for (std::size_t i = steps.size(); i > 0 && in_a_row < lost_steps; --i) {
    const Step& step = steps[i - 1];
    if (!step.has_loss) continue;
    if (std::isfinite(step.loss)) return false;
    ++in_a_row;
  }
  return in_a_row == lost_steps;
}

bool is_lost(const Evaluation& evaluation) {
  return !std::isfinite(evaluation.quality) ||
         (evaluation.loss && !std::isfinite(*evaluation.loss));
}

class QualityRule : public StoppingRule {
 public:
  explicit QualityRule(RuleValues values) : values_(std::move(values)) {}

  void note(const QualityTask& task, std::span<const Evaluation> curve) override {
    task_ = task;
    curve_.assign(curve.begin(), curve.end());
  }

  Decision decide(std::span<const Step> steps) override {
    if (reached()) return {.stop = true, .why = "target", .converged = true};
    if (has_lost_its_loss(steps) || is_curve_lost()) return give_up("nan-loss");
    if (is_over()) return give_up("cap");
    if (!makes_progress()) return give_up("no-progress");
    return {};
  }

  Window window(std::span<const Step> steps) const override {
    return find_steady_state(steps).window;
  }

  std::size_t most_steps() const override { return most_quality_steps; }

 private:
  static Decision give_up(const char* why) {
    return {.stop = true, .why = why, .converged = false};
  }

  bool reached() const {
    const double target = quality_target(values_, task_);
    return std::any_of(curve_.begin(), curve_.end(), [&](const Evaluation& evaluation) {
      return reaches(evaluation.quality, target, task_.higher_is_better);
    });
  }

  bool is_curve_lost() const {
    return curve_.size() >= lost_evaluations &&
           std::all_of(curve_.end() - lost_evaluations, curve_.end(), is_lost);
  }

  /// The last evaluation comes after the last whole step, which may end a little before the epoch.
  bool is_over() const {
    if (curve_.empty() || !(task_.epochs > 0)) return false;
    const double step = task_.steps_per_epoch > 0 ? 1 / task_.steps_per_epoch : 0;
    return curve_.back().epoch >= task_.epochs - step - 1e-9 * task_.epochs;
  }

  /// Some evaluation is better than the first, or it is too early to say.
  bool makes_progress() const {
    if (curve_.size() <= fewest_evaluations || !(task_.epochs > 0) ||
        curve_.back().epoch < patience * task_.epochs)
      return true;
    const double first = curve_.front().quality;
    if (!std::isfinite(first)) return true;
    return std::any_of(curve_.begin() + 1, curve_.end(), [&](const Evaluation& evaluation) {
      return task_.higher_is_better ? evaluation.quality > first : evaluation.quality < first;
    });
  }

  RuleValues values_;
  QualityTask task_;
  std::vector<Evaluation> curve_;
};

const Registration<RuleKind> registered(
    quality_rule,
    {.summary = "train on a data set to a target quality, each round with another seed",
     .rounds = 5,
     .parameters = {{"target", 0, 0, 1e9, "quality to reach; 0: that of the workload's recipe"},
                    {"epochs", 0, 0, 1e6,
                     "length of the schedule and the most to train; 0: that of the recipe"},
                    {"evaluate_every", 0, 0, 1e6,
                     "epochs between evaluations; 0: as the recipe says"}},
     .make = [](const RuleValues& values) -> std::unique_ptr<StoppingRule> {
       return std::make_unique<QualityRule>(values);
     },
     .trains_to_quality = true});

}  // namespace

double quality_target(const RuleValues& values, const QualityTask& task) {
  const auto own = values.find("target");
  if (own != values.end() && own->second != 0) return own->second;
  return task.target.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace trainmark
