#pragma once

#include "measure/rule.h"

namespace trainmark {

/// The target of a training: the rule's own, else that of the workload's recipe; NaN where neither
/// has one.
double quality_target(const RuleValues& values, const QualityTask& task);

}  // namespace trainmark
