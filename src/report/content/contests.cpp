#include "report/content/contests.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <unordered_map>

#include "base/verdict_names.h"
#include "journal/turn_ratios.h"
#include "report/content/result_groups.h"

namespace trainmark {

namespace {

using Place = Standing::Place;

Place place_of(Answer answer) {
  switch (answer) {
    case Answer::same:
      return Place::same;
    case Answer::slower:
      return Place::slower;
    case Answer::faster:  // by turns; its own figure is the smaller one
    case Answer::unclear:
      break;
  }
  return Place::unclear;
}

Comparison compared(const TurnRatios& turns, const Result& result, const Result& best) {
  if (const auto ratio = turns.ratio(result.cell, best.cell)) return compare_pair(*ratio);
  return compare_runs(summaries(best), summaries(result));
}

bool is_faster(const Standing& a, const Standing& b) {
  return a.result->throughput.value > b.result->throughput.value;
}

void place_all(Contest& contest, const TurnRatios& turns) {
  std::vector<Standing>& all = contest.standings;
  std::stable_sort(all.begin(), all.end(), is_faster);
  auto best = std::find_if(all.begin(), all.end(),
                           [](const Standing& entry) { return !is_doubtful(*entry.result); });
  if (best == all.end()) {
    for (Standing& entry : all) entry.place = Place::doubtful;
    return;
  }
  // Turns may know better than the figures which of two is the faster.
  for (auto rival = std::next(best); rival != all.end(); ++rival) {
    if (is_doubtful(*rival->result)) continue;
    const auto ratio = turns.ratio(rival->result->cell, best->result->cell);
    if (ratio && compare_pair(*ratio).answer == Answer::faster) best = rival;
  }
  for (Standing& entry : all) {
    if (&entry == &*best) {
      entry.place = Place::best;
    } else if (is_doubtful(*entry.result)) {
      entry.place = Place::doubtful;
    } else {
      entry.versus = compared(turns, *entry.result, *best->result);
      entry.place = place_of(entry.versus.answer);
    }
  }
}

/// The contests of one workload and precision, the smallest scale first.
std::vector<Contest> contests_of(const WorkloadGroup& group, const PrecisionGroup& precision,
                                 const TurnRatios& turns) {
  std::map<std::pair<int, Scale>, std::map<std::string, const Result*>> fastest;
  for (const Result* result : precision.results) {
    if (result->runs.empty()) continue;
    const Scale scale = result->cell.scale;
    const Result*& entry = fastest[{scale.ranks(), scale}][result->cell.framework];
    if (!entry || result->throughput.value > entry->throughput.value) entry = result;
  }
  std::vector<Contest> contests;
  for (const auto& [scale, entries] : fastest) {
    Contest& contest = contests.emplace_back();
    contest.workload = group.workload;
    contest.size = group.size;
    contest.device = group.device;
    contest.precision = precision.precision;
    contest.scale = scale.second;
    for (const auto& [framework, result] : entries)
      contest.standings.emplace_back().result = result;
    place_all(contest, turns);
  }
  const auto usual = std::max_element(
      contests.begin(), contests.end(),
      [](const Contest& a, const Contest& b) { return a.standings.size() < b.standings.size(); });
  if (usual != contests.end()) usual->usual = true;
  return contests;
}

}  // namespace

const Standing* Contest::best() const {
  const auto found = std::find_if(standings.begin(), standings.end(),
                                  [](const Standing& entry) { return entry.place == Place::best; });
  return found == standings.end() ? nullptr : &*found;
}

std::vector<const Standing*> Contest::ties() const {
  std::vector<const Standing*> found;
  for (const Standing& entry : standings)
    if (entry.place == Place::same || entry.place == Place::unclear) found.push_back(&entry);
  return found;
}

std::vector<Contest> contests_of(const ReportInput& input) {
  const TurnRatios turns(input.contents);
  std::vector<Contest> all;
  for (const WorkloadGroup& group : group_results(input.results))
    for (const PrecisionGroup& precision : group.precisions)
      for (Contest& contest : contests_of(group, precision, turns))
        all.push_back(std::move(contest));
  return all;
}

std::span<const std::string_view> doubtful_verdicts() {
  static constexpr std::array<std::string_view, 10> names = {
      verdicts::loss_nan,        verdicts::loss_flat,          verdicts::mfu_above_one,
      verdicts::rank_missing,    verdicts::faster_than_linear, verdicts::batch_mismatch,
      verdicts::no_steady_state, verdicts::precision_mismatch, verdicts::shape_mismatch,
      verdicts::clock_differs};
  return names;
}

bool is_doubtful(const Result& result) {
  const auto names = doubtful_verdicts();
  return std::any_of(result.verdicts.begin(), result.verdicts.end(), [&](const Verdict& verdict) {
    return std::find(names.begin(), names.end(), verdict.name) != names.end();
  });
}

std::string_view place_name(Place place) {
  switch (place) {
    case Place::best:
      return "best";
    case Place::same:
      return "same";
    case Place::unclear:
      return "unclear";
    case Place::slower:
      return "slower";
    case Place::doubtful:
      break;
  }
  return "doubtful";
}

}  // namespace trainmark
