#include "measure/ranks.h"

#include <algorithm>

namespace trainmark {

std::vector<Step> job_steps(std::span<const std::vector<Step>> ranks) {
  if (ranks.empty()) return {};
  std::vector<Step> job = ranks.front();
  for (const auto& rank : ranks.subspan(1)) {
    std::vector<Step> both;
    auto other = rank.begin();
    for (Step step : job) {
      other = std::find_if(other, rank.end(),
                           [&](const Step& candidate) { return candidate.index >= step.index; });
      if (other == rank.end()) break;
      if (other->index != step.index) continue;
      step.end = std::max(step.end, other->end);
      step.seconds = std::max(step.seconds, other->seconds);
      step.items += other->items;
      both.push_back(step);
    }
    job = std::move(both);
  }
  return job;
}

}  // namespace trainmark
