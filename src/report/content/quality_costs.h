#pragma once

#include <cstddef>
#include <string>

#include "journal/quality_result.h"

namespace trainmark {

/// What the trainings of a cell spent on other things than steps, and how many of them went on from
/// a checkpoint.
struct QualityCosts {
  double evaluation_seconds = 0;  // of a training, in the mean
  double checkpoint_seconds = 0;  // likewise; of one that went on, since it did
  std::size_t resumed = 0;
};

QualityCosts quality_costs(const QualityResult& result);

/// "8.000 s"; empty for nothing.
std::string cost_text(double seconds);

}  // namespace trainmark
