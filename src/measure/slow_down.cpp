#include "measure/slow_down.h"

#include <algorithm>
#include <cmath>

namespace trainmark {

namespace {

constexpr double normal_95 = 1.960;
constexpr double normal_99 = 2.576;

// One comparison of the ends does, where it is so clear that no spread between starts can matter.
constexpr double clear_half_widths = 8;
// Of the least: a slow-down that just matters is measured a little smaller as often as larger.
constexpr double nearly_least = 0.75;
// Of the whole slow-down: an interval so narrow that still holds the half-way point. Not before the
// spread between starts of this very commit was seen: it alone puts a good one there, too.
constexpr double about_half_way = 0.25;
constexpr std::size_t fewest_half_way = 3;

// Of the slow-down; with it, the interval of one comparison lies on one side of the half-way point
// as a rule.
constexpr double interval_share = 0.2;
constexpr double narrowest = 0.005;  // beyond it, the spread between starts is what is left
constexpr double widest = 0.05;

constexpr std::size_t most_more = 1000;  // a larger number says nothing more

/// Of one comparison, on the scale of logarithms. Never so small that one comparison counts for
/// all.
double inner_variance(const PairedRatio& ratio) {
  const double error = std::max(ratio.half_width / normal_95, least_start_spread / 10);
  return error * error;
}

}  // namespace

PairedRatio SlowDown::ratio() const {
  PairedRatio result;
  result.ratio = result.whole_ratio = std::exp(-value);
  result.half_width = half_width;
  result.sure_half_width = sure_half_width;
  result.interval = {std::exp(-value - half_width), std::exp(-value + half_width)};
  result.blocks = comparisons;
  return result;
}

double start_spread(std::span<const std::vector<PairedRatio>> commits) {
  // By the method of moments (DerSimonian and Laird 1986): what comparisons of one commit lie apart
  // beyond the noise inside them, each weighed by how well it is known.
  double excess = 0;
  double scale = 0;
  for (const std::vector<PairedRatio>& comparisons : commits) {
    if (comparisons.size() < 2) continue;
    double weights = 0;
    double squares = 0;
    double sum = 0;
    for (const PairedRatio& ratio : comparisons) {
      const double weight = 1 / inner_variance(ratio);
      weights += weight;
      squares += weight * weight;
      sum += weight * std::log(ratio.ratio);
    }
    for (const PairedRatio& ratio : comparisons) {
      const double distance = std::log(ratio.ratio) - sum / weights;
      excess += distance * distance / inner_variance(ratio);
    }
    excess -= static_cast<double>(comparisons.size() - 1);
    scale += weights - squares / weights;
  }
  if (scale <= 0 || excess <= 0) return least_start_spread;
  return std::max(least_start_spread, std::sqrt(excess / scale));
}

SlowDown combine_comparisons(std::span<const PairedRatio> comparisons, double spread) {
  SlowDown result;
  result.comparisons = comparisons.size();
  double weights = 0;
  double sure_weights = 0;
  // Who is known less well counts for less: one start that others disturbed does not spoil all.
  for (const PairedRatio& ratio : comparisons) {
    const double weight = 1 / (inner_variance(ratio) + spread * spread);
    const double sure = ratio.sure_half_width / normal_99;
    result.value -= weight * std::log(ratio.ratio);
    weights += weight;
    sure_weights += 1 / (std::max(sure * sure, inner_variance(ratio)) + spread * spread);
  }
  result.value /= weights;
  result.half_width = normal_95 / std::sqrt(weights);
  result.sure_half_width = normal_99 / std::sqrt(sure_weights);
  return result;
}

SlowDown difference(const SlowDown& slower, const SlowDown& faster) {
  return {slower.value - faster.value, std::hypot(slower.half_width, faster.half_width),
          std::hypot(slower.sure_half_width, faster.sure_half_width),
          std::min(slower.comparisons, faster.comparisons)};
}

EndsAnswer judge_ends(const SlowDown& whole, double least) {
  const double low = whole.value - whole.sure_half_width;
  const double high = whole.value + whole.sure_half_width;
  if (high < 0) return EndsAnswer::faster;
  if (high < least) return low > 0 ? EndsAnswer::less : EndsAnswer::not_slower;
  if (low <= 0 || whole.value < nearly_least * least) return EndsAnswer::open;
  const bool clear = whole.value > clear_half_widths * whole.sure_half_width;
  return clear || whole.comparisons > 1 ? EndsAnswer::slower : EndsAnswer::open;
}

Side side_of(const SlowDown& commit, const SlowDown& whole) {
  const double distance = commit.value - whole.value / 2;
  const double margin = std::hypot(commit.sure_half_width, whole.sure_half_width / 2);
  if (distance < -margin) return Side::good;
  if (distance > margin) return Side::bad;
  const bool half_way =
      commit.comparisons >= fewest_half_way && margin < about_half_way * whole.value;
  return half_way ? Side::bad : Side::open;
}

double wanted_interval(double slow_down) {
  return std::clamp(interval_share * slow_down, narrowest, widest);
}

std::size_t more_comparisons(const SlowDown& commit, const SlowDown& whole) {
  const auto after = [](SlowDown slow_down, std::size_t more) {
    const auto before = static_cast<double>(slow_down.comparisons);
    slow_down.comparisons += more;
    slow_down.sure_half_width *= std::sqrt(before / (before + static_cast<double>(more)));
    return slow_down;
  };
  // The vaguer of the two is compared next, and so both become as clear as each other.
  std::size_t own = 0;
  for (std::size_t more = 1; more < most_more; ++more) {
    const double half_way = after(whole, more - 1 - own).sure_half_width / 2;
    if (half_way <= after(commit, own).sure_half_width) ++own;
    if (side_of(after(commit, own), after(whole, more - own)) != Side::open) return more;
  }
  return most_more;
}

}  // namespace trainmark
