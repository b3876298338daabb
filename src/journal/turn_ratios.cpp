#include "journal/turn_ratios.h"

namespace trainmark {

TurnRatios::TurnRatios(const JournalContents& contents) : contents_(contents) {
  if (contents.turns.empty()) return;
  for (const RunRecord& run : contents.runs)
    if (run.ok) cells_.emplace(run.id, &run.cell);
}

std::optional<PairedRatio> TurnRatios::ratio(const Cell& cell, const Cell& base) const {
  std::vector<PairedRatio> rounds;
  for (const TurnsRecord& turns : contents_.turns) {
    const auto member = member_of(turns, cell), other = member_of(turns, base);
    if (!member || !other) continue;
    const PairedRatio round = paired_ratio(turns.blocks, *member, *other);
    if (round.blocks > 0) rounds.push_back(round);
  }
  if (rounds.empty()) return std::nullopt;
  return combine_rounds(rounds);
}

std::optional<std::size_t> TurnRatios::member_of(const TurnsRecord& turns, const Cell& cell) const {
  for (std::size_t member = 0; member < turns.runs.size(); ++member) {
    const auto found = cells_.find(turns.runs[member]);
    if (found != cells_.end() && *found->second == cell) return member;
  }
  return std::nullopt;
}

}  // namespace trainmark
