#include "measure/quality_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace trainmark {

namespace {

/// What a resumed training had done before this start; nothing otherwise.
EarlierTraining before(const QualityTask& task) {
  return task.resumed.value_or(EarlierTraining{});
}

/// When training began, on the clock of the steps.
double beginning(const ObservedTraining& training) {
  if (!training.steps.empty()) {
    const Step& first = training.steps.front();
    const double begin = first.end - first.seconds;
    // An evaluation before the first step is at the beginning, too.
    return training.evaluations.empty() ? begin : std::min(begin, training.evaluations.front().at);
  }
  return training.evaluations.empty() ? 0 : training.evaluations.front().at;
}

/// Without any evaluation, the steps say how far a training came.
void set_extent(const ObservedTraining& training, QualityOutcome& outcome) {
  if (!outcome.curve.empty()) {
    outcome.seconds = outcome.curve.back().at;
    outcome.samples = outcome.curve.back().samples;
    outcome.epoch = outcome.curve.back().epoch;
    return;
  }
  const auto steps =
      static_cast<double>(before(training.task).step) + static_cast<double>(training.steps.size());
  if (training.task.steps_per_epoch > 0) outcome.epoch = steps / training.task.steps_per_epoch;
  outcome.seconds = before(training.task).seconds;
  outcome.samples = before(training.task).samples;
  if (training.steps.empty()) return;
  outcome.seconds += training.steps.back().end - beginning(training);
  for (const Step& step : training.steps) outcome.samples += step.items;
}

}  // namespace

std::vector<Evaluation> training_curve(const ObservedTraining& training) {
  const EarlierTraining earlier = before(training.task);
  std::vector<Evaluation> curve = earlier.evaluations;
  const double begin = beginning(training);
  for (Evaluation evaluation : training.evaluations) {
    evaluation.at += earlier.seconds - begin;
    curve.push_back(evaluation);
  }
  return curve;
}

QualityOutcome quality_outcome(const ObservedTraining& training, double target,
                               const std::string& why) {
  const QualityTask& task = training.task;
  QualityOutcome outcome;
  outcome.metric = task.metric;
  outcome.higher_is_better = task.higher_is_better;
  outcome.target = target;
  outcome.why = why;
  outcome.epochs = task.epochs;
  outcome.evaluation_samples = task.evaluation_samples;
  if (task.resumed) outcome.resumed_at = task.resumed->samples;
  outcome.curve = training_curve(training);
  for (const Evaluation& evaluation : outcome.curve)
    outcome.evaluation_seconds += evaluation.seconds;
  for (const Checkpoint& checkpoint : training.checkpoints)
    outcome.checkpoint_seconds += checkpoint.seconds;
  outcome.checkpoints = training.checkpoints.size();
  const auto first =
      std::find_if(outcome.curve.begin(), outcome.curve.end(), [&](const Evaluation& evaluation) {
        return reaches(evaluation.quality, target, task.higher_is_better);
      });
  outcome.reached = first != outcome.curve.end();
  set_extent(training, outcome);
  if (outcome.reached) {
    outcome.seconds = first->at;
    outcome.samples = first->samples;
    outcome.epoch = first->epoch;
  }
  return outcome;
}

QualityTrial QualityOutcome::trial() const {
  const bool given_up = why == "nan-loss" || why == "no-progress";
  const double rest = given_up && !reached && epoch > 0 ? std::max(1.0, epochs / epoch) : 1.0;
  return {samples * rest, seconds * rest, reached};
}

const Evaluation* best_of(const QualityOutcome& outcome) {
  const Evaluation* best = nullptr;
  for (const Evaluation& evaluation : outcome.curve) {
    if (!std::isfinite(evaluation.quality)) continue;
    if (best == nullptr || (outcome.higher_is_better ? evaluation.quality > best->quality
                                                     : evaluation.quality < best->quality))
      best = &evaluation;
  }
  return best;
}

std::string missed_text(const QualityOutcome& outcome) {
  const Evaluation* best = best_of(outcome);
  const std::string reached = best == nullptr
                                  ? "no evaluation has a finite quality"
                                  : fmt::format("best {} {} after {:.0f} samples", outcome.metric,
                                                figure(best->quality), best->samples);
  const std::string head = fmt::format("target {:.6g} missed: {}", outcome.target, reached);
  if (outcome.why == "cap")
    return head + fmt::format("; all {:.6g} epochs are trained", outcome.epochs);
  if (outcome.why == "no-progress")
    return head +
           "; stopped early: half of the epochs brought nothing better than the first evaluation";
  if (outcome.why == "nan-loss") return head + "; stopped early: the loss is no longer finite";
  return head + "; the training ended before its last epoch";
}

}  // namespace trainmark
