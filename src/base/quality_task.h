#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace trainmark {

/// How suites and journals call the rule that trains to a target quality.
inline constexpr const char* quality_rule = "quality";

/// The quality of a model in mid-training, over the whole evaluation set.
struct Evaluation {
  std::int64_t step = 0;  // optimizer steps before it, those before a resume included
  double samples = 0;     // trained before it by the whole job, likewise
  double epoch = 0;
  /// When it began. From a trainer: on the clock of its steps, which stands still in evaluations.
  /// In a curve: training seconds since the beginning, without the time of evaluations.
  double at = 0;
  double seconds = 0;                                         // that it took
  double quality = std::numeric_limits<double>::quiet_NaN();  // NaN where it is not finite
  std::optional<double> loss = std::nullopt;                  // where reported; NaN likewise
};

/// What a resumed training had done before.
struct EarlierTraining {
  std::int64_t step = 0;
  double samples = 0;
  double seconds = 0;  // of training, without evaluations
  std::vector<Evaluation> evaluations = {};
};

/// What a training to quality aims at, as its trainer tells it.
struct QualityTask {
  std::string metric;  // "top-1 accuracy"
  bool higher_is_better = true;
  std::optional<double> target = {};  // of the recipe
  double epochs = 0;                  // the length of the schedule, and the most to train
  double steps_per_epoch = 0;         // 0 where it is not told
  double evaluation_samples = 0;      // likewise
  std::optional<EarlierTraining> resumed = {};
};

/// NaN reaches nothing.
inline bool reaches(double quality, double target, bool higher_is_better) {
  return higher_is_better ? quality >= target : quality <= target;
}

/// A checkpoint that was written in mid-training.
struct Checkpoint {
  std::int64_t step = 0;
  double seconds = 0;
  double bytes = 0;
};

}  // namespace trainmark
