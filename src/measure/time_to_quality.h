#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "measure/comparison.h"
#include "measure/statistics.h"

namespace trainmark {

/// One training towards a target quality.
struct QualityTrial {
  double samples = 0;  // trained until the target was reached, or until the training was given up
  double seconds = 0;  // likewise, without the time of evaluations
  bool reached = false;
};

/// A positive quantity over several trainings.
struct Factor {
  double mean = 0;    // geometric
  Interval interval;  // 95 %, of the mean; without an upper end where hardly any training ended
};

/// How long it takes to learn, as the product of samples needed and seconds per sample. A training
/// that missed the target counts as one that would have needed more than it was given.
struct TimeToQuality {
  std::size_t trials = 0;
  std::size_t reached = 0;
  Factor seconds;
  Factor samples;
  Factor seconds_per_sample;
};

/// Throws std::invalid_argument where there is no trial, or one without samples or seconds.
TimeToQuality time_to_quality(std::span<const QualityTrial> trials);

/// One factor of two programs. `ratio` is next ÷ base: below 1, the next one needs less. It is
/// infinite or 0 where a side has too few trainings that reached the target for a figure, and needs
/// more or less nevertheless; NaN where nothing can be said.
struct FactorComparison {
  double ratio = 0;
  Interval interval;
  Answer answer = Answer::unclear;  // `faster`: it needs less
};

struct QualityComparison {
  FactorComparison seconds;
  FactorComparison samples;
  FactorComparison seconds_per_sample;
};

/// What is the same for every practical purpose: seeds alone change the number of samples by more
/// than machines change the speed.
struct QualityLimits {
  double samples = 0.15;
  double seconds = 0.15;
  double seconds_per_sample = 0.01;
};

QualityComparison compare_quality(std::span<const QualityTrial> base,
                                  std::span<const QualityTrial> next,
                                  const QualityLimits& limits = {});

}  // namespace trainmark
