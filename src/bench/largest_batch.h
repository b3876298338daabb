#pragma once

#include <functional>
#include <string>

namespace trainmark {

/// What became of a batch that was tried.
enum class Trial { fits, too_large, broken };

/// The largest batch that fits, or 0 where none does or a trial broke.
///
/// Doubles from `first` (halves where that is too large already) and then narrows the gap until it
/// is 3 % of the batch. Only multiples of a sixteenth of `first` are tried where the batch is
/// larger: some workloads count in units of their own, and odd batches are slow on every device.
int find_largest_batch(int first, const std::function<Trial(int batch)>& try_batch);

}  // namespace trainmark
