#pragma once

#include "journal/results.h"
#include "journal/turn_ratios.h"

namespace trainmark {

/// What the input of a training on a data set costs. `step` is the same cell on made-up data,
/// `pipeline` the one that makes batches and trains nothing, null where it was not measured.
/// Nothing where the speeds cannot be compared.
std::optional<InputCost> input_cost_of(const Result& both, const Result& step,
                                       const Result* pipeline, const TurnRatios& turns);

}  // namespace trainmark
