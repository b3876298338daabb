#pragma once

#include <cstddef>
#include <optional>

#include "bench/measuring.h"

namespace trainmark {

/// How long so many cells take in all rounds, at most and about: set-up, warm-up and the rule's
/// cap. Nothing where the rule counts steps: nobody knows yet how long these are.
std::optional<double> estimated_seconds(std::size_t cells, const Measuring& measuring);

/// As many of the rounds as fit into the time, and one at least.
int rounds_within(double seconds, std::size_t cells, Measuring measuring);

}  // namespace trainmark
