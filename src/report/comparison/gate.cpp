#include "report/comparison/gate.h"

#include <fmt/format.h>

namespace trainmark {

std::vector<std::string> gate_reasons(const Gate& gate, const ComparisonInput& input) {
  std::vector<std::string> reasons;
  for (const auto& cell : input.cells) {
    const std::string key = cell.base.cell.key();
    const double slower = 100 * (1 - cell.comparison.ratio);
    if (gate.slower) {
      if (!cell.base.runs.empty() && cell.next.runs.empty()) {
        reasons.push_back(key + ": no run finished well any more");
      } else if (cell.comparison.answer == Answer::slower && slower >= *gate.slower) {
        reasons.push_back(fmt::format("{}: slower by {:.2f} %", key, slower));
      }
    }
    if (gate.unclear && cell.comparison.answer == Answer::unclear) {
      reasons.push_back(key + ": unclear");
    }
  }
  return reasons;
}

}  // namespace trainmark
