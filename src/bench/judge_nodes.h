#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "journal/record.h"
#include "launch/node_report.h"

namespace trainmark {

/// Completes the record of a run whose ranks ran on other machines by what these tell of
/// themselves: their environments and conditions, what their GPUs did, and what speaks against the
/// figure. `moments`: between which the steps that count were done. Gives what the GPUs in use drew
/// together; nothing where a node does not tell.
std::optional<double> judge_nodes(const std::vector<NodeReport>& nodes,
                                  std::optional<std::pair<double, double>> moments,
                                  RunRecord& record);

}  // namespace trainmark
