#include "measure/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/run_spread.h"

namespace trainmark {

namespace {

constexpr std::size_t fewest_runs = 2;
constexpr std::size_t usual_runs = 3;
// Beyond so many rounds a forecast is worth nothing.
constexpr std::size_t most_more_rounds = 100;

/// What the spread between `base` and `next` runs tells of the difference of their means.
struct Spread {
  double base_variance;
  double next_variance;
  double inner_half_width;  // from the noise inside the runs

  double half_width(double base, double next) const {
    const double degrees = base + next - 2;
    const double pooled = ((base - 1) * base_variance + (next - 1) * next_variance) / degrees;
    const double error = std::sqrt(pooled * (1 / base + 1 / next));
    return std::max(student_t_quantile(0.975, degrees) * error, inner_half_width);
  }
};

Answer answer_of(double change, double half_width, double same) {
  const double distance = std::abs(change);
  if (distance + half_width <= same) return Answer::same;
  if (distance > half_width && distance > same) {
    return change > 0 ? Answer::faster : Answer::slower;
  }
  return Answer::unclear;
}

}  // namespace

const char* text(Answer answer) {
  switch (answer) {
    case Answer::faster:
      return "faster";
    case Answer::slower:
      return "slower";
    case Answer::same:
      return "same";
    case Answer::unclear:
      return "unclear";
  }
  return "unclear";
}

Comparison compare_runs(std::span<const RunSummary> base_runs,
                        std::span<const RunSummary> next_runs, const ComparisonLimits& limits) {
  Comparison comparison;
  comparison.interval = {0, std::numeric_limits<double>::infinity()};
  const RunSpread base = spread_of(base_runs);
  const RunSpread next = spread_of(next_runs);
  const std::size_t fewest = std::min(base.size(), next.size());
  if (fewest == 0) {
    comparison.why = fmt::format("{} has no run with a figure", base.size() == 0 ? "base" : "new");
    comparison.more_rounds = usual_runs;
    return comparison;
  }

  // Positive = faster: the new seconds per item are fewer.
  const double change = base.mean - next.mean;
  comparison.ratio = std::exp(change);
  const double inner = std::hypot(base.inner_half_width, next.inner_half_width);
  if (fewest < fewest_runs) {
    comparison.interval = {std::exp(change - inner), std::exp(change + inner)};
    comparison.why = fmt::format(
        "{} has one run only, so the spread between runs is not known; run at least 2, better 3 "
        "rounds",
        base.size() < fewest_runs ? "base" : "new");
    comparison.more_rounds = static_cast<int>(usual_runs - fewest);
    return comparison;
  }

  const Spread spread{base.deviation * base.deviation, next.deviation * next.deviation,
                      std::isfinite(inner) ? inner : 0};
  const auto base_count = static_cast<double>(base.size());
  const auto next_count = static_cast<double>(next.size());
  const double half_width = spread.half_width(base_count, next_count);
  comparison.interval = {std::exp(change - half_width), std::exp(change + half_width)};
  const double same = std::log1p(limits.same);
  comparison.answer = answer_of(change, half_width, same);
  if (comparison.answer != Answer::unclear) return comparison;

  for (std::size_t more = 1; more <= most_more_rounds; ++more) {
    const double rounds = static_cast<double>(more);
    Spread later = spread;
    later.inner_half_width *= std::sqrt((1 / (base_count + rounds) + 1 / (next_count + rounds)) /
                                        (1 / base_count + 1 / next_count));
    if (answer_of(change, later.half_width(base_count + rounds, next_count + rounds), same) !=
        Answer::unclear) {
      comparison.more_rounds = static_cast<int>(more);
      break;
    }
  }
  comparison.why = fmt::format(
      "the difference of {:+.2f} % is known to ±{:.2f} % only, and ±{:.2f} % counts as the same",
      100 * std::expm1(change), 100 * half_width, 100 * limits.same);
  comparison.why +=
      comparison.more_rounds > 0
          ? fmt::format("; about {} more rounds of both would settle it", comparison.more_rounds)
          : "; it lies so near to that limit that more rounds will hardly settle it";
  return comparison;
}

}  // namespace trainmark
