#pragma once

#include <string_view>

#include "logs/generic/line_fields.h"

namespace trainmark {

/// Words in front of a number, in lower case, that make it a counter of steps.
bool is_step_counter(std::string_view words);

/// … of epochs.
bool is_epoch_counter(std::string_view words);

/// … of anything that rises and is no step: samples, tokens, sizes, ports.
bool is_no_counter(std::string_view words);

/// The rank that printed a line: `[rank0]:`, `rank 0`, mpirun's `[1,0]<stdout>:`, or `0: ` in front
/// of a line that has a counter of its own; -1 where it does not say.
int rank_of(const LineFields& fields);

/// `Epoch 3/10` on a line of its own, as Keras prints it above its bars; NaN for other lines.
double heading_epoch(const LineFields& fields);

}  // namespace trainmark
