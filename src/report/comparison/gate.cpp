#include "report/comparison/gate.h"

namespace trainmark {

std::vector<GateReason> gate_reasons(const Gate& gate, const ComparisonInput& input) {
  std::vector<GateReason> reasons;
  for (const auto& cell : input.cells) {
    const std::string key = cell.base.cell.key();
    const double slower = 100 * (1 - cell.comparison.ratio);
    if (gate.slower) {
      if (!cell.base.runs.empty() && cell.next.runs.empty()) {
        reasons.push_back({key, Word::gate_no_figure});
      } else if (cell.comparison.answer == Answer::slower && slower >= *gate.slower) {
        reasons.push_back({key, Word::gate_slower, slower});
      }
    }
    if (gate.unclear && cell.comparison.answer == Answer::unclear)
      reasons.push_back({key, Word::answer_unclear});
  }
  if (!gate.slower || gate.allow_missing) return reasons;
  for (const Result& result : input.only_base) {
    if (!result.runs.empty()) reasons.push_back({result.cell.key(), Word::gate_missing});
  }
  return reasons;
}

}  // namespace trainmark
