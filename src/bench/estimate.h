#pragma once

#include <cstddef>
#include <optional>

#include "bench/measuring.h"

namespace trainmark {

/// About how long so many cells take in all rounds, with every run at its cap and a typical set-up.
/// Nothing where the rule counts steps: nobody knows yet how long these are.
std::optional<double> estimated_seconds(std::size_t cells, const Measuring& measuring);

/// As many of the rounds as fit into the time, and one at least.
int rounds_within(double seconds, std::size_t cells, Measuring measuring);

}  // namespace trainmark
