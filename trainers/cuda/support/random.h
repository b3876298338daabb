#pragma once

#include <cstdint>

namespace trainmark::train {

/// Where the numbers of a dropout begin. In a recorded graph they are read when it is replayed.
struct RandomState {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;  // in a graph: to be added to *offset_at
  const std::int64_t* seed_at = nullptr;
  const std::int64_t* offset_at = nullptr;
};

/// Reserves numbers of LibTorch's generator, so that `--seed` and graphs hold for ours as well.
/// Enough for one `draw` per sequence.
RandomState reserve_numbers();

}  // namespace trainmark::train
