#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/measuring.h"
#include "bench/set_up_history.h"
#include "suite/plan.h"

namespace trainmark {

/// About how long a plan takes in all rounds, with every run at its cap.
struct Estimate {
  double seconds = 0;
  std::size_t guessed = 0;  // cells whose trainer has never run here, so that its set-up is assumed
  std::size_t cells = 0;

  /// "about 4 min", and what of it is assumed.
  std::string text() const;
};

/// Nothing where the rule counts steps: nobody knows yet how long these are.
std::optional<Estimate> estimate(const std::vector<PlannedCell>& cells, const Measuring& measuring,
                                 const SetUpHistory& history);

/// As many of the rounds as fit into the time, and one at least.
int rounds_within(double seconds, const std::vector<PlannedCell>& cells, Measuring measuring,
                  const SetUpHistory& history);

}  // namespace trainmark
