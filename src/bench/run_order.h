#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "suite/plan.h"

namespace trainmark {

/// One run of a plan: a cell, by its place in the plan, in a round.
struct CellRound {
  std::size_t cell = 0;
  int round = 1;

  bool operator==(const CellRound&) const = default;
};

/// The order of a round: every cell once, shuffled, the same for the same seed on every machine.
std::vector<std::size_t> shuffled_order(std::size_t cells, std::uint64_t seed, int round);

/// Every cell in every round, round after round, each in an order of its own.
std::vector<CellRound> runs_in_order(std::size_t cells, int rounds, std::uint64_t seed);

/// The cells that are compared with each other: they differ in framework and mode only. By their
/// places in the plan, in its order.
std::vector<std::vector<std::size_t>> comparable_cells(const std::vector<PlannedCell>& cells);

/// A turn of one member of a group that takes turns (measure/turns.h).
struct Turn {
  std::size_t member = 0;
  int share = 1;  // 2: it is the last one there and the first one back, without a pause between
};

/// The turns of a block (from 1): there in an order of its own, and back again.
std::vector<Turn> turns_of_block(std::size_t members, std::uint64_t seed, int block);

}  // namespace trainmark
