#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/comparison/comparison.h"

namespace trainmark {

/// What must not happen between two journals, for whoever lets nothing slower pass.
struct Gate {
  std::optional<double> slower = {};  // percent: a cell is slower by this or more
  bool unclear = false;               // an answer is unclear
};

/// Why the gate trips, one line a cell; none where it does not. A cell that no longer trains at all
/// is worse than a slow one.
std::vector<std::string> gate_reasons(const Gate& gate, const ComparisonInput& input);

}  // namespace trainmark
