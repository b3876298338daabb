#include "report/comparison/gate.h"

#include <map>

namespace trainmark {

std::vector<Cell> lost_proofs(const std::vector<Proof>& base, const std::vector<Proof>& next) {
  std::map<Cell, bool> was_same;
  for (const Proof& proof : newest(base)) was_same[proof.cell] = proof.same();
  std::vector<Cell> lost;
  for (const Proof& proof : newest(next)) {
    const auto before = was_same.find(proof.cell);
    if (before != was_same.end() && before->second && !proof.same()) lost.push_back(proof.cell);
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
