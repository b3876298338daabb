#include "report/comparison/match.h"

#include <unordered_map>

namespace trainmark {

ComparisonInput match_cells(const NamedResults& base, const NamedResults& next, double same) {
  ComparisonInput input;
  input.base_name = base.name;
  input.next_name = next.name;
  input.same = same;
  std::unordered_map<std::string, const Result*> by_key;
  for (const auto& result : next.results) by_key.emplace(result.cell.key(), &result);
  ComparisonLimits limits;
  limits.same = same;
  for (const auto& result : base.results) {
    const auto found = by_key.find(result.cell.key());
    if (found == by_key.end()) {
      input.only_base.push_back(result);
      continue;
    }
    input.cells.push_back({result, *found->second,
                           compare_runs(summaries(result), summaries(*found->second), limits)});
    by_key.erase(found);
  }
  for (const auto& result : next.results) {
    if (by_key.contains(result.cell.key())) input.only_next.push_back(result);
  }
  return input;
}

}  // namespace trainmark
