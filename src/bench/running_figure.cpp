#include "bench/running_figure.h"

#include <algorithm>
#include <cmath>

#include "measure/quality_outcome.h"
#include "measure/steady_state.h"

namespace trainmark {

namespace {

constexpr std::size_t recent_steps = 20;  // tell how long a step takes now
constexpr double check_growth = 1.02;     // the rule is asked again when there are 2 % more steps

}  // namespace

void RunningFigure::look(const StepSource& source) {
  const std::size_t count = source.count();
  const bool grew = count >= next_check_ || source.evaluation_count() > curve_.size();
  const bool fell = count < steps_.size();
  if (!grew && !fell) return;
  take(source);
  next_check_ =
      static_cast<std::size_t>(std::ceil(static_cast<double>(steps_.size()) * check_growth)) + 1;
  decision_ = rule_->decide(steps_);
  so_far_ = throughput(steps_, find_steady_state(steps_).window);
}

void RunningFigure::finish(const StepSource& source) {
  take(source);
  if (!decision_.stop && !(steps_.empty() && curve_.empty())) decision_ = rule_->decide(steps_);
}

void RunningFigure::take(const StepSource& source) {
  steps_ = source.steps();
  const QualityTask* task = source.quality_task();
  if (task == nullptr) return;
  const std::vector<Evaluation> evaluations = source.evaluations();
  const std::vector<Checkpoint> checkpoints = source.checkpoints();
  curve_ = training_curve({*task, steps_, evaluations, checkpoints});
  for (const Checkpoint& checkpoint : checkpoints)
    longest_checkpoint_ = std::max(longest_checkpoint_, checkpoint.seconds);
  rule_->note(*task, curve_);
}

double RunningFigure::longest_step() const {
  double longest = longest_checkpoint_;
  for (const Evaluation& evaluation : curve_) longest = std::max(longest, evaluation.seconds);
  const std::size_t first = steps_.size() - std::min(steps_.size(), recent_steps);
  for (std::size_t i = first; i < steps_.size(); ++i)
    longest = std::max(longest, steps_[i].seconds);
  return longest;
}

double RunningFigure::half_width() const {
  return so_far_.value > 0 ? trainmark::half_width(so_far_) : 0;
}

}  // namespace trainmark
