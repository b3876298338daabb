#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/quality_task.h"
#include "base/step.h"
#include "measure/time_to_quality.h"

namespace trainmark {

/// What one training to quality gave.
struct QualityOutcome {
  std::string metric;
  bool higher_is_better = true;
  double target = 0;
  bool reached = false;
  std::string why;    // it ended: target, cap, no-progress, nan-loss, or ended
  double epochs = 0;  // of the schedule
  double epoch = 0;   // that it came to: where `seconds` and `samples` are counted
  /// Trained until the evaluation that reached the target began; of a training that missed it,
  /// until its last evaluation. Checkpoints are in it, evaluations are not.
  double seconds = 0;
  double samples = 0;
  double evaluation_seconds = 0;          // of all evaluations
  double checkpoint_seconds = 0;          // since the last start
  std::size_t checkpoints = 0;            // likewise
  double evaluation_samples = 0;          // in the evaluation set; 0 where it is not told
  std::optional<double> resumed_at = {};  // samples that were trained before the last start
  std::vector<Evaluation> curve = {};     // `at` is in training seconds

  /// For statistics. A training that was given up would have missed the target at its last epoch,
  /// too, and counts as if it had been trained until then.
  QualityTrial trial() const;
};

/// The best evaluation of a curve; null where none is finite.
const Evaluation* best_of(const QualityOutcome& outcome);

/// Why a target was missed, in a sentence.
std::string missed_text(const QualityOutcome& outcome);

/// All that a trainer told of its training, since it was last started.
struct ObservedTraining {
  const QualityTask& task;
  std::span<const Step> steps;  // of the whole job
  std::span<const Evaluation> evaluations;
  std::span<const Checkpoint> checkpoints;
};

/// The whole curve, what was before a resume included, in training seconds.
std::vector<Evaluation> training_curve(const ObservedTraining& training);

QualityOutcome quality_outcome(const ObservedTraining& training, double target,
                               const std::string& why);

}  // namespace trainmark
