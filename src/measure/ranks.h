#pragma once

#include <span>
#include <vector>

#include "base/step.h"

namespace trainmark {

/// The steps of a job from those of its ranks: a step has ended when its slowest rank has, and its
/// items are those of all ranks. Only steps that every rank has done are there; they are matched by
/// their index. The loss is the first rank's.
std::vector<Step> job_steps(std::span<const std::vector<Step>> ranks);

}  // namespace trainmark
