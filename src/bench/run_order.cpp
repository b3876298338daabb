#include "bench/run_order.h"

#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>

namespace trainmark {

std::vector<std::size_t> shuffled_order(std::size_t cells, std::uint64_t seed, int round) {
  std::vector<std::size_t> order(cells);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // std::shuffle differs between libraries; this one is written out to be the same everywhere.
  std::mt19937_64 random(seed * 1'000'003 + static_cast<std::uint64_t>(round));
  for (std::size_t i = cells; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

std::vector<CellRound> runs_in_order(std::size_t cells, int rounds, std::uint64_t seed) {
  std::vector<CellRound> runs;
  for (int round = 1; round <= rounds; ++round)
    for (const std::size_t cell : shuffled_order(cells, seed, round)) runs.push_back({cell, round});
  return runs;
}

std::vector<std::vector<std::size_t>> comparable_cells(const std::vector<PlannedCell>& cells) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> by_key;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Cell cell = cells[i].cell;
    cell.framework.clear();
    // What the input costs is such a comparison, too.
    cell.data.clear();
    cell.input.clear();
    const auto [found, is_new] = by_key.emplace(cell.key(), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

std::vector<Turn> turns_of_block(std::size_t members, std::uint64_t seed, int block) {
  const std::vector<std::size_t> order = shuffled_order(members, seed, block);
  std::vector<Turn> turns;
  for (const std::size_t member : order) turns.push_back({member, 1});
  if (!turns.empty()) turns.back().share = 2;
  for (std::size_t i = order.size(); i > 1; --i) turns.push_back({order[i - 2], 1});
  return turns;
}

}  // namespace trainmark
