#include "measure/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/verdict_names.h"
#include "measure/run_spread.h"

namespace trainmark {

namespace {

constexpr double first_run_limit = 0.03;
constexpr double disagree_limit = 0.03;

/// The runs that have a figure.
std::vector<double> values_of(std::span<const RunSummary> runs) {
  std::vector<double> values;
  for (const RunSummary& run : runs) {
    if (run.throughput.value > 0) values.push_back(run.throughput.value);
  }
  return values;
}

/// Half of the 95 % interval, as a share of the figure. Two runs or more: t on the spread between
/// them, which holds the noise inside them, too. Three runs can agree by luck; the noise inside
/// them is known far better and sets the floor.
double half_width(const RunSpread& spread) {
  if (spread.size() < 2) return spread.inner_half_width;
  const auto count = static_cast<double>(spread.size());
  const double between = student_t_quantile(0.975, count - 1) * spread.deviation / std::sqrt(count);
  return std::isfinite(spread.inner_half_width) ? std::max(between, spread.inner_half_width)
                                                : between;
}

}  // namespace

CellThroughput combine_runs(std::span<const RunSummary> runs) {
  CellThroughput result;
  const std::vector<double> values = values_of(runs);
  result.single_run = values.size() == 1;
  if (values.empty()) {
    result.interval = {0, std::numeric_limits<double>::infinity()};
    return result;
  }
  double seconds_per_item = 0;
  for (const double value : values) seconds_per_item += 1 / value;
  result.value = static_cast<double>(values.size()) / seconds_per_item;
  result.average = mean(values);
  result.median = median(values);
  result.relative_spread = standard_deviation(values) / result.average;
  const double half = half_width(spread_of(runs));
  result.interval = {result.value * std::exp(-half), result.value * std::exp(half)};
  return result;
}

Verdicts check_runs(std::span<const RunSummary> runs) {
  Verdicts verdicts;
  const std::vector<double> values = values_of(runs);
  if (values.size() == 1) {
    verdicts.push_back({verdicts::single_run,
                        "only one run: the spread between runs is unknown, "
                        "and the interval does not include it; measure 3 rounds or more"});
  }
  if (values.size() < 2) return verdicts;

  const auto rest = std::span(values).subspan(1);
  const auto [low, high] = std::minmax_element(rest.begin(), rest.end());
  const double usual = median(rest);
  const double behind = usual / values.front() - 1;
  // Beyond the spread of the rest: with two runs there is none, and they simply disagree.
  const bool first_slower =
      rest.size() >= 2 && behind > first_run_limit && behind > 2 * (*high - *low) / usual;
  if (first_slower) {
    verdicts.push_back(
        {verdicts::first_run_slower,
         fmt::format("the first run is {:.1f} % slower than the others: caches, compilation or "
                     "downloads may be included; measure again",
                     100 * behind)});
  }
  const double spread = standard_deviation(values) / mean(values);
  if (spread > disagree_limit) {
    verdicts.push_back({verdicts::runs_disagree,
                        fmt::format("the runs differ by {:.1f} % (standard deviation of {} runs)",
                                    100 * spread, values.size())});
  }
  return verdicts;
}

}  // namespace trainmark
