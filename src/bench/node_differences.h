#pragma once

#include <vector>

#include "base/verdict.h"
#include "launch/node_report.h"

namespace trainmark {

/// What is not the same on all nodes of a job: `nodes-differ`, with the hosts that are unlike most
/// others. Machines of one kind differ by some kilobytes of memory and some megahertz; that does
/// not count.
Verdicts node_differences(const std::vector<NodeReport>& nodes);

}  // namespace trainmark
