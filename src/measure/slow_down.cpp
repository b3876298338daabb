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
  double squares = 0;
  std::size_t degrees = 0;
  for (const std::vector<PairedRatio>& comparisons : commits) {
    if (comparisons.size() < 2) continue;
    std::vector<double> logs;
    for (const PairedRatio& ratio : comparisons) logs.push_back(std::log(ratio.ratio));
    const double deviation = standard_deviation(logs);
    squares += deviation * deviation * static_cast<double>(logs.size() - 1);
    degrees += logs.size() - 1;
  }
  if (degrees == 0) return least_start_spread;
  return std::max(least_start_spread, std::sqrt(squares / static_cast<double>(degrees)));
}

SlowDown combine_comparisons(std::span<const PairedRatio> comparisons, double spread) {
  SlowDown result;
  result.comparisons = comparisons.size();
  double squares = 0;
  double sure_squares = 0;
  // What was seen between starts holds the noise inside comparisons already; the least does not.
  const auto square = [&](double inner, double quantile) {
    const double seen = quantile * spread;
    const double least = quantile * least_start_spread;
    return std::max(inner * inner + least * least, seen * seen);
  };
  for (const PairedRatio& ratio : comparisons) {
    result.value -= std::log(ratio.ratio);
    squares += square(ratio.half_width, normal_95);
    sure_squares += square(ratio.sure_half_width, normal_99);
  }
  const auto count = static_cast<double>(comparisons.size());
  result.value /= count;
  result.half_width = std::sqrt(squares) / count;
  result.sure_half_width = std::sqrt(sure_squares) / count;
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
