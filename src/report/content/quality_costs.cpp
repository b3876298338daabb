#include "report/content/quality_costs.h"

#include "base/text.h"

namespace trainmark {

QualityCosts quality_costs(const QualityResult& result) {
  QualityCosts costs;
  double trainings = 0;
  for (const RunRecord* run : result.runs) {
    if (!run->quality) continue;
    ++trainings;
    costs.evaluation_seconds += run->quality->evaluation_seconds;
    costs.checkpoint_seconds += run->quality->checkpoint_seconds;
    costs.resumed += run->quality->resumed_at.has_value() ? 1 : 0;
  }
  if (trainings == 0) return costs;
  costs.evaluation_seconds /= trainings;
  costs.checkpoint_seconds /= trainings;
  return costs;
}

std::string cost_text(double seconds) {
  return seconds > 0 ? figure(seconds) + " s" : "";
}

}  // namespace trainmark
