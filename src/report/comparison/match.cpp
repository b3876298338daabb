#include "report/comparison/match.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <unordered_map>

namespace trainmark {

namespace {

/// How fast the target is reached: base ÷ new time.
Comparison speed_to_quality(const FactorComparison& seconds, const QualityLimits& limits) {
  Comparison comparison;
  const auto inverse = [](double value) {
    return value > 0 ? 1 / value : std::numeric_limits<double>::infinity();
  };
  comparison.ratio = std::isnan(seconds.ratio) ? 0 : inverse(seconds.ratio);
  comparison.interval = {inverse(seconds.interval.high), inverse(seconds.interval.low)};
  comparison.answer = seconds.answer;
  if (seconds.answer != Answer::unclear) return comparison;
  comparison.why =
      std::isnan(seconds.ratio)
          ? "too few trainings reached the target; measure more rounds or train for more epochs"
          : fmt::format(
                "the time to quality is {:.2f} times the base's ({:.2f} to {:.2f}), and up "
                "to ±{:.0f} % counts as the same; more rounds narrow it",
                seconds.ratio, seconds.interval.low, seconds.interval.high, 100 * limits.seconds);
  return comparison;
}

ComparedCell compared(const Result& base, const Result& next, const ComparisonLimits& limits) {
  ComparedCell cell{base, next, {}};
  if (!base.quality || !next.quality) {
    cell.comparison = compare_runs(summaries(base), summaries(next), limits);
    return cell;
  }
  if (base.quality->metric != next.quality->metric ||
      base.quality->target != next.quality->target) {
    cell.comparison.interval = {0, std::numeric_limits<double>::infinity()};
    cell.comparison.why =
        fmt::format("they were trained to different targets: {} {} and {} {}", base.quality->metric,
                    base.quality->target, next.quality->metric, next.quality->target);
    return cell;
  }
  QualityLimits of_factors;
  of_factors.seconds_per_sample = limits.same;
  cell.quality = compare_quality(base.quality->trials, next.quality->trials, of_factors);
  cell.comparison = speed_to_quality(cell.quality->seconds, of_factors);
  return cell;
}

}  // namespace

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
    input.cells.push_back(compared(result, *found->second, limits));
    by_key.erase(found);
  }
  for (const auto& result : next.results) {
    if (by_key.contains(result.cell.key())) input.only_next.push_back(result);
  }
  return input;
}

}  // namespace trainmark
