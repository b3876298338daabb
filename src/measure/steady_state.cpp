#include "measure/steady_state.h"

#include <algorithm>
#include <cmath>

namespace trainmark {

namespace {

// A stretch at the front is cut where it moves the figure by more than this share …
constexpr double matters = 0.0005;
// … but a stretch that lies this far off is cut even where it hardly counts.
constexpr double always_off = 0.02;
// A warm-up fades like an exponential: where it can no longer be seen, some of it is left. So twice
// what can be seen is cut; simulated warm-ups then bias the figure by less than 0.03 %, and without
// it by up to 0.7 %.
constexpr std::size_t margin = 2;
// Where the last quarter of a run is faster than the one before it by no more than this, there is a
// figure (with the warning `drift`), though not a settled one. A last quarter that is slower is no
// warm-up at all: the machine wanders, and the figure says what it did.
constexpr double unsettled_level = 0.05;
// Two-sided error of one look at one stretch. A needless cut costs steps, never truth.
constexpr double look_error = 0.004;
// A step lies beyond the normal ones where it is off by more than so many of their absolute
// deviations, or by this share of them: a clock of coarse ticks has deviations of 0.
constexpr double reach_in_deviations = 10;
constexpr double least_reach = 0.05;
// Of the very first steps less is needed: that these are slow is no surprise.
constexpr double front_reach_in_deviations = 5;
// Blocks needed to know how much blocks scatter.
constexpr std::size_t fewest_blocks = 8;

/// What is left of the squares around a straight line: a warm-up that still goes on must not pass
/// for scatter and so hide itself.
double squares_around_line(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double level = mean(values);
  double product = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    product += (static_cast<double>(i) - (count - 1) / 2) * (values[i] - level);
    squares += (values[i] - level) * (values[i] - level);
  }
  const double places = count * (count * count - 1) / 12;
  return std::max(0.0, squares - product * product / places);
}

/// Step times cut down to the reach of the normal ones, with their running sums: one stall must not
/// decide where a run becomes steady. A warm-up stands out after clipping, too, unless it is a few
/// steps of a run that scatters much: those at the very front are known before they are clipped.
class Levels {
 public:
  explicit Levels(std::span<const Step> steps) : sums_(steps.size() + 1, 0.0) {
    std::vector<double> seconds = comparable_seconds(steps);
    const auto tail = std::span(seconds).subspan(seconds.size() / 2);
    const double center = median(tail);
    const double deviation = median_absolute_deviation(tail);
    const double front_reach =
        std::max(front_reach_in_deviations * deviation, least_reach * center);
    while (front_ < seconds.size() && seconds[front_] > center + front_reach) ++front_;
    const double reach = std::max(reach_in_deviations * deviation, least_reach * center);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      seconds[i] = std::clamp(seconds[i], center - reach, center + reach);
      sums_[i + 1] = sums_[i] + seconds[i];
    }
    measure_scatter();
  }

  std::size_t size() const { return sums_.size() - 1; }

  /// So many steps at the front are each slower than normal ones ever are.
  std::size_t front() const { return front_; }

  double mean(std::size_t first, std::size_t last) const {
    return (sums_[last] - sums_[first]) / static_cast<double>(last - first);
  }

  /// Does every stretch at the front of [first, end) agree with the second half of it?
  bool steady_from(std::size_t first) const {
    const std::size_t middle = first + (size() - first) / 2;
    const double level = mean(middle, size());
    const double level_variance = variance(size() - middle);
    for (std::size_t length = 1;; length = std::min(2 * length, middle - first)) {
      const double off = std::abs(mean(first, first + length) - level);
      const double share = static_cast<double>(size() - first) / static_cast<double>(length);
      const double negligible = level * std::min(always_off, matters * share);
      if (off > negligible && off > surprise_ * std::sqrt(variance(length) + level_variance)) {
        return false;
      }
      if (length == middle - first) return true;
    }
  }

 private:
  /// How much the means of stretches of 1, 2, 4, … steps scatter in the second half of the run: as
  /// seen, so that correlated steps need no model.
  void measure_scatter() {
    const std::size_t begin = size() / 2;
    std::vector<double> means;
    double degrees = 1;
    for (std::size_t length = 1;; length *= 2) {
      const std::size_t blocks = (size() - begin) / length;
      if (length > 1 && blocks < fewest_blocks) break;
      means.clear();
      for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t last = size() - block * length;
        means.push_back(mean(last - length, last));
      }
      degrees = std::max(1.0, static_cast<double>(blocks) - 2);
      variances_.push_back(squares_around_line(means) / degrees);
    }
    surprise_ = student_t_quantile(1 - look_error / 2, degrees);
  }

  double variance(std::size_t length) const {
    std::size_t power = 0;
    while (power + 1 < variances_.size() && (std::size_t{2} << power) <= length) ++power;
    return variances_[power] * static_cast<double>(std::size_t{1} << power) /
           static_cast<double>(length);
  }

  std::vector<double> sums_;
  std::size_t front_ = 0;
  std::vector<double> variances_;  // of the means of stretches of 1, 2, 4, … steps
  double surprise_ = 0;            // so many standard deviations are no accident
};

/// The first of [begin, end) from which the run is steady; `end` where there is none. A few hundred
/// places are tried: that is finer than any cut needs to be, and cheap for long runs.
std::size_t first_steady(const Levels& levels, std::size_t begin, std::size_t end) {
  const std::size_t stride = std::max<std::size_t>(1, levels.size() / 512);
  for (std::size_t first = begin; first < end; first += stride) {
    if (levels.steady_from(first)) return first;
  }
  return end;
}

}  // namespace

std::vector<double> comparable_seconds(std::span<const Step> steps) {
  double items = 0;
  for (const Step& step : steps) items += step.items;
  const double usual = steps.empty() ? 0 : items / static_cast<double>(steps.size());
  std::vector<double> seconds(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    seconds[i] = step_interval(steps, i);
    if (steps[i].items > 0) seconds[i] *= usual / steps[i].items;
  }
  return seconds;
}

SteadyState find_steady_state(std::span<const Step> steps) {
  const std::size_t count = steps.size();
  if (count < fewest_steps) return {{}, fewest_steps - count, false};
  const Levels levels(steps);
  const std::size_t half = count / 2;

  const std::size_t first = first_steady(levels, std::min(levels.front(), half + 1), half + 1);
  const std::size_t cut = margin * first;
  if (cut <= half) return {{cut, count}, 0, false};
  if (first <= half) return {{half, count}, 0, true};

  const std::size_t middle = half + (count - half) / 2;
  const double late = levels.mean(middle, count);
  if (levels.mean(half, middle) - late <= unsettled_level * late) {
    return {{half, count}, 0, true};
  }
  // Steady from `later` on would do if the run were long enough against it.
  const std::size_t later = first_steady(levels, half + 1, count - fewest_steps / 2);
  return {{}, 2 * margin * later - count, false};
}

}  // namespace trainmark
