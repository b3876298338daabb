#pragma once

#include <optional>
#include <vector>

#include "report/comparison/comparison.h"

namespace trainmark {

/// What must not happen between two journals, for whoever lets nothing slower pass.
struct Gate {
  std::optional<double> slower = {};  // percent: a cell is slower by this or more
  bool unclear = false;               // an answer is unclear
  bool allow_missing = false;         // NEW need not hold every cell that BASE has a figure of
};

/// The cells whose newest proof says the same in one journal and not the same in the next.
std::vector<Cell> lost_proofs(const std::vector<Proof>& base, const std::vector<Proof>& next);

/// Why the gate trips, cell by cell; none where it does not. A cell that no longer trains at all is
/// worse than a slow one, and so is one that is not measured any more, or that trains something
/// else.
std::vector<GateReason> gate_reasons(const Gate& gate, const ComparisonInput& input);

}  // namespace trainmark
