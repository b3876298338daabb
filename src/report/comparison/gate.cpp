#include "report/comparison/gate.h"

#include <map>

namespace trainmark {

namespace {

/// What the last proof of each cell says, whatever the versions: a newer framework may lose it.
std::map<Cell, bool> last_verdicts(const std::vector<Proof>& proofs) {
  std::map<Cell, bool> same;
  for (const Proof& proof : proofs) same[proof.cell] = proof.same();
  return same;
}

}  // namespace

std::vector<Cell> lost_proofs(const std::vector<Proof>& base, const std::vector<Proof>& next) {
  const std::map<Cell, bool> before = last_verdicts(base);
  std::vector<Cell> lost;
  for (const auto& [cell, same] : last_verdicts(next)) {
    const auto was_same = before.find(cell);
    if (was_same != before.end() && was_same->second && !same) lost.push_back(cell);
  }
  return lost;
}

std::vector<GateReason> gate_reasons(const Gate& gate, const ComparisonInput& input) {
  std::vector<GateReason> reasons;
  for (const auto& cell : input.cells) {
    const std::string key = cell.base.cell.key();
    const double slower = 100 * (1 - cell.comparison.ratio);
    if (gate.slower) {
      if (!cell.base.runs.empty() && cell.next.runs.empty()) {
        reasons.push_back({key, Word::gate_no_figure});
      } else if (cell.quality && cell.comparison.answer == Answer::slower &&
                 cell.comparison.ratio == 0) {
        reasons.push_back({key, Word::gate_target});
      } else if (cell.comparison.answer == Answer::slower && slower >= *gate.slower) {
        reasons.push_back({key, Word::gate_slower, slower});
      }
    }
    if (gate.unclear && cell.comparison.answer == Answer::unclear)
      reasons.push_back({key, Word::answer_unclear});
  }
  if (!gate.slower) return reasons;
  for (const Cell& cell : input.lost_proofs) reasons.push_back({cell.key(), Word::gate_proof});
  if (gate.allow_missing) return reasons;
  for (const Result& result : input.only_base) {
    if (!result.runs.empty()) reasons.push_back({result.cell.key(), Word::gate_missing});
  }
  return reasons;
}

}  // namespace trainmark
