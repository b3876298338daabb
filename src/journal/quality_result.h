#pragma once

#include <optional>
#include <string>
#include <vector>

#include "journal/record.h"
#include "measure/time_to_quality.h"

namespace trainmark {

/// How long a cell takes to learn, over its seeds.
struct QualityResult {
  std::string metric;
  bool higher_is_better = true;
  double target = 0;
  std::vector<const RunRecord*> runs;  // the trainings, in the order of rounds
  std::vector<QualityTrial> trials;    // of each
  TimeToQuality time;
};

/// Of the runs of a cell that trained to quality. One that ran out of time or whose loss was lost
/// is among its failures, and counts as one that missed the target. Nothing where none did.
std::optional<QualityResult> quality_result(const std::vector<const RunRecord*>& well,
                                            const std::vector<const RunRecord*>& failed);

}  // namespace trainmark
