#include "measure/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/verdict_names.h"
#include "measure/statistics.h"

namespace trainmark {

namespace {

constexpr double straggler_limit = 1.05;    // of the median rank's work
constexpr double straggler_persists = 0.8;  // share of the steps in which it must be slower
constexpr std::size_t stragglers_named = 4;

bool lies_in(const Step& step, std::int64_t first, std::int64_t last) {
  return step.index >= first && step.index <= last;
}

/// What a rank did by itself. A rank that waits for a slower one has a long step, too.
double work_of(const Step& step) {
  return std::isfinite(step.exposed) ? std::max(0.0, step.seconds - step.exposed) : step.seconds;
}

/// Their share of the steps' time, where any step tells.
std::optional<double> share(std::span<const Step> steps, double Step::*part) {
  double told = 0;
  double seconds = 0;
  for (const Step& step : steps) {
    if (!std::isfinite(step.*part)) continue;
    told += step.*part;
    seconds += step.seconds;
  }
  if (seconds <= 0) return std::nullopt;
  return told / seconds;
}

RankSummary summarize_rank(std::span<const Step> steps) {
  std::vector<double> seconds;
  std::vector<double> work;
  for (const Step& step : steps) {
    seconds.push_back(step.seconds);
    work.push_back(work_of(step));
  }
  RankSummary summary;
  if (steps.empty()) return summary;
  summary.step_median = median(seconds);
  summary.step_high = quantile(seconds, 0.95);
  summary.work_median = median(work);
  summary.communication = share(steps, &Step::communication);
  summary.exposed = share(steps, &Step::exposed);
  summary.input = share(steps, &Step::input);
  return summary;
}

std::optional<double> mean_of_told(const std::vector<RankSummary>& ranks,
                                   std::optional<double> RankSummary::*part) {
  std::vector<double> told;
  for (const RankSummary& rank : ranks)
    if (rank.*part) told.push_back(*(rank.*part));
  if (told.empty()) return std::nullopt;
  return mean(told);
}

/// Of two in the middle the smaller: with two ranks, the faster one is the measure of the other.
double lower_median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// By step, the work of the median rank.
std::map<std::int64_t, double> usual_work(std::span<const std::vector<Step>> ranks,
                                          std::int64_t first, std::int64_t last) {
  std::map<std::int64_t, std::vector<double>> works;
  for (const auto& rank : ranks)
    for (const Step& step : rank)
      if (lies_in(step, first, last)) works[step.index].push_back(work_of(step));
  std::map<std::int64_t, double> usual;
  for (auto& [index, values] : works)
    if (values.size() == ranks.size()) usual[index] = lower_median(std::move(values));
  return usual;
}

/// The share of its steps in which a rank was slower than the median rank.
double slower_share(std::span<const Step> steps, const std::map<std::int64_t, double>& usual) {
  std::size_t slower = 0;
  std::size_t all = 0;
  for (const Step& step : steps) {
    const auto found = usual.find(step.index);
    if (found == usual.end()) continue;
    ++all;
    if (work_of(step) > found->second) ++slower;
  }
  return all == 0 ? 0 : static_cast<double>(slower) / static_cast<double>(all);
}

}  // namespace

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

RanksSummary summarize_ranks(std::span<const std::vector<Step>> ranks, std::int64_t first,
                             std::int64_t last) {
  RanksSummary summary;
  for (const auto& rank : ranks) {
    std::vector<Step> counted;
    std::copy_if(rank.begin(), rank.end(), std::back_inserter(counted),
                 [&](const Step& step) { return lies_in(step, first, last); });
    summary.ranks.push_back(summarize_rank(counted));
  }
  summary.communication = mean_of_told(summary.ranks, &RankSummary::communication);
  summary.exposed = mean_of_told(summary.ranks, &RankSummary::exposed);
  summary.input = mean_of_told(summary.ranks, &RankSummary::input);
  return summary;
}

Verdicts check_ranks(std::span<const std::vector<Step>> ranks, const RanksSummary& summary,
                     std::int64_t first, std::int64_t last) {
  if (summary.ranks.size() < 2) return {};
  std::vector<double> works;
  for (const RankSummary& rank : summary.ranks) works.push_back(rank.work_median);
  const double usual = lower_median(works);
  if (usual <= 0) return {};
  const auto by_step = usual_work(ranks, first, last);
  std::vector<std::string> named;
  std::size_t count = 0;
  for (std::size_t i = 0; i < summary.ranks.size(); ++i) {
    const RankSummary& rank = summary.ranks[i];
    if (rank.work_median <= straggler_limit * usual ||
        slower_share(ranks[i], by_step) < straggler_persists)
      continue;
    if (++count > stragglers_named) continue;
    named.push_back(fmt::format("rank {}{} by {:.1f} %", i,
                                rank.host.empty() ? "" : " on " + rank.host,
                                100 * (rank.work_median / usual - 1)));
  }
  if (count == 0) return {};
  std::string text = fmt::format("{}", fmt::join(named, ", "));
  if (count > stragglers_named) text += fmt::format(" and {} more", count - stragglers_named);
  return {{verdicts::straggler,
           "slower than the median rank, step after step: " + text + "; all others wait for it"}};
}

}  // namespace trainmark
