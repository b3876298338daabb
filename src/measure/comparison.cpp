#include "measure/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "measure/run_spread.h"

namespace trainmark {

namespace {

constexpr std::size_t fewest_runs = 2;
constexpr std::size_t usual_runs = 3;
// Beyond so many rounds a forecast is worth nothing.
constexpr int most_more_rounds = 100;

/// What the runs of both sides tell of the difference of their means. Welch's t, since the two need
/// not scatter alike: a change that makes runs jittery would fool a pooled spread.
struct DifferenceError {
  double base_variance;
  double next_variance;
  double inner_half_width;  // from the noise inside the runs; the floor

  double half_width(double base, double next) const {
    const double base_part = base_variance / base;
    const double next_part = next_variance / next;
    const double variance = base_part + next_part;
    if (!(variance > 0)) return inner_half_width;
    const double degrees =
        variance * variance /
        (base_part * base_part / (base - 1) + next_part * next_part / (next - 1));
    return std::max(student_t_quantile(0.975, degrees) * std::sqrt(variance), inner_half_width);
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

/// The fewest further rounds of both after which the answer would be clear if the difference and
/// the spread stayed what they are; 0 where even many would not do.
int rounds_to_settle(const DifferenceError& now, double base, double next, double change,
                     double same) {
  const auto settled_after = [&](int more) {
    DifferenceError later = now;
    later.inner_half_width *=
        std::sqrt((1 / (base + more) + 1 / (next + more)) / (1 / base + 1 / next));
    const double half_width = later.half_width(base + more, next + more);
    return answer_of(change, half_width, same) != Answer::unclear;
  };
  if (!settled_after(most_more_rounds)) return 0;
  // The interval only shrinks with more rounds, so the first that resolve it are found by halving.
  int unsettled = 0;
  int settled = most_more_rounds;
  while (settled - unsettled > 1) {
    const int middle = (unsettled + settled) / 2;
    (settled_after(middle) ? settled : unsettled) = middle;
  }
  return settled;
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
    // More rounds of what fails would fail as well.
    const bool neither = base.size() + next.size() == 0;
    comparison.why = fmt::format("{} no successful run: there is nothing to compare",
                                 neither            ? "both sides have"
                                 : base.size() == 0 ? "base has"
                                                    : "new has");
    return comparison;
  }

  // Positive = faster: the new seconds per item are fewer.
  const double change = base.mean - next.mean;
  comparison.ratio = std::exp(change);
  const double inner = std::hypot(base.inner_half_width, next.inner_half_width);
  if (fewest < fewest_runs) {
    comparison.interval = {std::exp(change - inner), std::exp(change + inner)};
    comparison.why = fmt::format(
        "{} has only one run, so the spread between runs is unknown; measure at least 2, better 3 "
        "rounds",
        base.size() < fewest_runs ? "base" : "new");
    comparison.more_rounds = static_cast<int>(usual_runs - fewest);
    return comparison;
  }

  const DifferenceError error{base.deviation * base.deviation, next.deviation * next.deviation,
                              std::isfinite(inner) ? inner : 0};
  const auto base_count = static_cast<double>(base.size());
  const auto next_count = static_cast<double>(next.size());
  const double half_width = error.half_width(base_count, next_count);
  comparison.interval = {std::exp(change - half_width), std::exp(change + half_width)};
  const double same = std::log1p(limits.same);
  comparison.answer = answer_of(change, half_width, same);
  if (comparison.answer != Answer::unclear) return comparison;

  comparison.more_rounds = rounds_to_settle(error, base_count, next_count, change, same);
  comparison.why = fmt::format(
      "the difference of {:+.2f} % is known to ±{:.2f} % only, and up to ±{:.2f} % counts as the "
      "same",
      100 * std::expm1(change), 100 * half_width, 100 * limits.same);
  comparison.why +=
      comparison.more_rounds > 0
          ? fmt::format("; about {} of both would resolve it",
                        counted(static_cast<std::size_t>(comparison.more_rounds), "more round"))
          : "; given this spread, it is too close to the limit: more rounds are unlikely to "
            "resolve it";
  return comparison;
}

Comparison compare_pair(const PairedRatio& pair, const ComparisonLimits& limits) {
  Comparison comparison;
  comparison.interval = {0, std::numeric_limits<double>::infinity()};
  if (pair.blocks == 0) {
    comparison.why = "they did not take turns with each other";
    return comparison;
  }
  comparison.ratio = pair.ratio;
  comparison.interval = pair.interval;
  const double change = std::log(pair.ratio);
  const double same = std::log1p(limits.same);
  // Turns are many and cheap, and alarms are not: a difference must be surer than the interval is.
  const bool is_same = std::abs(change) + pair.half_width <= same;
  comparison.answer = is_same ? Answer::same : answer_of(change, pair.sure_half_width, same);
  if (comparison.answer == Answer::unclear) {
    comparison.why = fmt::format(
        "the difference of {:+.2f} % is known to ±{:.2f} % only, and up to ±{:.2f} % counts as the "
        "same; more turns would resolve it",
        100 * (pair.ratio - 1), 100 * pair.half_width, 100 * limits.same);
  }
  return comparison;
}

}  // namespace trainmark
