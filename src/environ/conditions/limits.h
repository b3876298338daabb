#pragma once

#include <string>

#include "base/verdict.h"

namespace trainmark {

/// What was seen on the cores of a run, over its measured part.
struct ConditionFigures {
  int cores = 0;
  double seconds = 0;
  double other_cores = 0;   // cores' worth of work that was not the run's
  double stolen_share = 0;  // of the cores' time
  double swapped_bytes = 0;
  double held_back_share = 0;  // periods in which a limit of the control group ended the work
  int clock_samples = 0;       // of busy cores
  double clock_mhz = 0;
  double reference_mhz = 0;  // 0 where unknown
  int cores_throttled_by_heat = 0;
  std::string governor;
};

/// The warnings these figures deserve: figures in, words out.
Verdicts condition_verdicts(const ConditionFigures& figures);

}  // namespace trainmark
