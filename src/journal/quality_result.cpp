#include "journal/quality_result.h"

#include <algorithm>
#include <cmath>

namespace trainmark {

namespace {

/// Crashes and the like say nothing of how long it takes to learn.
bool is_training(const RunRecord& run) {
  if (!run.quality) return false;
  return run.ok || run.failure == "timeout" || run.failure == "nan-loss";
}

/// A training that ran out of time may go on in a later run, whose samples count from the
/// beginning.
bool goes_on_in(const RunRecord& run, const RunRecord& other) {
  if (run.ok || other.round != run.round || other.seed != run.seed) return false;
  return other.ok || other.quality->trial().samples > run.quality->trial().samples;
}

/// One whose target was reached before anything was trained, or that trained nothing, has no
/// factors.
bool has_factors(const QualityTrial& trial) {
  return trial.samples > 0 && trial.seconds > 0 && std::isfinite(trial.samples) &&
         std::isfinite(trial.seconds);
}

}  // namespace

std::optional<QualityResult> quality_result(const std::vector<const RunRecord*>& well,
                                            const std::vector<const RunRecord*>& failed) {
  std::vector<const RunRecord*> runs;
  for (const auto* list : {&well, &failed})
    std::copy_if(list->begin(), list->end(), std::back_inserter(runs), [](const RunRecord* run) {
      return is_training(*run) && has_factors(run->quality->trial());
    });
  const std::vector<const RunRecord*> all = runs;
  std::erase_if(runs, [&](const RunRecord* run) {
    return std::ranges::any_of(all,
                               [&](const RunRecord* other) { return goes_on_in(*run, *other); });
  });
  if (runs.empty()) return std::nullopt;
  std::stable_sort(runs.begin(), runs.end(),
                   [](const RunRecord* a, const RunRecord* b) { return a->round < b->round; });
  const QualityOutcome& first = *runs.front()->quality;
  // Journals do not mix rules; one that was put together by hand may.
  std::erase_if(runs, [&](const RunRecord* run) {
    return run->quality->target != first.target || run->quality->metric != first.metric;
  });
  if (runs.empty()) return std::nullopt;  // a target that is no number
  QualityResult result{.metric = first.metric,
                       .higher_is_better = first.higher_is_better,
                       .target = first.target,
                       .runs = runs,
                       .trials = {},
                       .time = {}};
  for (const RunRecord* run : runs) result.trials.push_back(run->quality->trial());
  result.time = time_to_quality(result.trials);
  return result;
}

}  // namespace trainmark
