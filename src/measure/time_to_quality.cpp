#include "measure/time_to_quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace trainmark {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double confidence = 0.975;  // of each side
constexpr double confidence_of_both = 0.95;
// Two of them tell a spread; fewer tell only that it takes longer than was waited.
constexpr std::size_t fewest_complete = 2;
constexpr double smallest_spread = 1e-6;  // of logarithms: a millionth

/// The logarithm of a quantity, or of what it is larger than.
struct Observation {
  double value = 0;
  bool complete = true;
};

using Observations = std::vector<Observation>;

std::size_t count_complete(const Observations& observations) {
  return static_cast<std::size_t>(std::count_if(observations.begin(), observations.end(),
                                                [](const auto& one) { return one.complete; }));
}

/// Where `function` is largest, for one that rises and then falls.
template <class Function>
double argument_of_maximum(double low, double high, const Function& function) {
  constexpr double golden = 0.6180339887498949;
  constexpr int shrinks = 36;
  double left = high - golden * (high - low);
  double right = low + golden * (high - low);
  double at_left = function(left);
  double at_right = function(right);
  for (int i = 0; i < shrinks; ++i) {
    if (at_left < at_right) {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = function(right);
    } else {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = function(left);
    }
  }
  return (low + high) / 2;
}

/// log P(a standard normal variable is above z); by its asymptote where the probability underflows.
double log_tail(double z) {
  if (z < 30) return std::log(0.5 * std::erfc(z / std::sqrt(2.0)));
  return -z * z / 2 - std::log(z * std::sqrt(2 * M_PI));
}

/// How likely the observations are if the quantity is normal around a mean, with the spread that
/// suits that mean best. Incomplete ones count by the probability of being larger than they are.
class Likelihood {
 public:
  explicit Likelihood(Observations observations) : observations_(std::move(observations)) {
    const auto [least, most] =
        std::minmax_element(observations_.begin(), observations_.end(),
                            [](const auto& a, const auto& b) { return a.value < b.value; });
    range_ = std::max(most->value - least->value, smallest_spread);
    low_ = least->value - 20 * range_;
    high_ = most->value + 20 * range_;
  }

  double low() const { return low_; }
  double high() const { return high_; }

  double best_mean() const {
    if (count_complete(observations_) == observations_.size()) {
      double sum = 0;
      for (const Observation& one : observations_) sum += one.value;
      return sum / static_cast<double>(observations_.size());
    }
    return argument_of_maximum(low_, high_, [&](double mean) { return at(mean); });
  }

  double at(double mean) const {
    const double log_spread =
        argument_of_maximum(std::log(smallest_spread), std::log(60 * range_ + smallest_spread),
                            [&](double tried) { return at(mean, std::exp(tried)); });
    return at(mean, std::exp(log_spread));
  }

 private:
  double at(double mean, double spread) const {
    double sum = 0;
    for (const Observation& one : observations_) {
      const double z = (one.value - mean) / spread;
      sum += one.complete ? -std::log(spread) - z * z / 2 : log_tail(z);
    }
    return sum;
  }

  Observations observations_;
  double range_, low_, high_;
};

/// By how much the logarithm of a likelihood may fall below its maximum. Where all observations are
/// complete, this gives the very interval of Student's t.
double allowed_fall(double count, double degrees) {
  const double t = student_t_quantile(confidence, degrees);
  return 0.5 * count * std::log1p(t * t / degrees);
}

/// Where `function` falls below `level` between a place where it is above and one where it is not;
/// `outside` itself where it never does.
template <class Function>
double crossing(double inside, double outside, double level, const Function& function) {
  if (function(outside) >= level) return outside;
  constexpr int halvings = 40;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (inside + outside) / 2;
    (function(middle) >= level ? inside : outside) = middle;
  }
  return (inside + outside) / 2;
}

Factor factor_of(const Observations& observations) {
  const std::size_t complete = count_complete(observations);
  if (complete < fewest_complete) {
    // A lower end is known at least: nobody was faster than the fastest.
    const auto least = std::min_element(observations.begin(), observations.end(),
                                        [](auto& a, auto& b) { return a.value < b.value; });
    const bool alone = observations.size() == 1 && complete == 1;
    return {alone ? std::exp(least->value) : unbounded,
            {alone ? 0 : std::exp(least->value), unbounded}};
  }
  const Likelihood likelihood(observations);
  const double best = likelihood.best_mean();
  const auto count = static_cast<double>(complete);
  const auto at = [&](double mean) { return likelihood.at(mean); };
  const double level = at(best) - allowed_fall(count, count - 1);
  const bool all = complete == observations.size();
  const double far = 1000 * (likelihood.high() - likelihood.low());
  const double low = crossing(best, best - far, level, at);
  const double high = crossing(best, best + far, level, at);
  return {std::exp(best), {std::exp(low), !all && high >= best + far ? unbounded : std::exp(high)}};
}

Answer answer_of(const FactorComparison& comparison, double same) {
  const Interval& interval = comparison.interval;
  if (interval.low >= 1 / (1 + same) && interval.high <= 1 + same) return Answer::same;
  if (interval.high < 1 && comparison.ratio < 1 / (1 + same)) return Answer::faster;
  if (interval.low > 1 && comparison.ratio > 1 + same) return Answer::slower;
  return Answer::unclear;
}

/// +1 where `b` is larger for sure, -1 where it is smaller for sure; 0 where nobody knows.
int order(const Observation& a, const Observation& b) {
  if (a.complete && b.value > a.value) return 1;
  if (b.complete && a.value > b.value) return -1;
  return 0;
}

/// Gehan's generalization of the test of Wilcoxon, for sides of which hardly any training reached
/// the target: the probability that chance alone orders them as clearly, from all ways (or many
/// random ones) to deal the observations to the sides. The sign of `sum` says which side is larger.
struct OrderTest {
  double sum = 0;
  double probability = 1;
};

OrderTest order_test(const Observations& base, const Observations& next) {
  Observations all = base;
  all.insert(all.end(), next.begin(), next.end());
  std::vector<double> scores(all.size(), 0);  // how many are smaller, less how many are larger
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Observation& other : all) scores[i] += order(other, all[i]);
  const auto sum_of_last = [&] {
    return std::accumulate(scores.begin() + static_cast<std::ptrdiff_t>(base.size()), scores.end(),
                           0.0);
  };
  OrderTest test{.sum = sum_of_last()};
  constexpr int deals = 20'000;
  std::mt19937_64 random(1);
  int as_clear = 1;  // the deal that was seen
  for (int deal = 1; deal < deals; ++deal) {
    for (std::size_t i = scores.size(); i > 1; --i) std::swap(scores[i - 1], scores[random() % i]);
    if (std::abs(sum_of_last()) >= std::abs(test.sum) - 1e-9) ++as_clear;
  }
  test.probability = static_cast<double>(as_clear) / deals;
  return test;
}

/// Where too few trainings reached the target for a ratio, their order may still be clear.
FactorComparison compare_order(const Observations& base, const Observations& next) {
  FactorComparison comparison{std::numeric_limits<double>::quiet_NaN(), {0, unbounded}};
  const OrderTest test = order_test(base, next);
  if (test.probability > 1 - confidence_of_both || test.sum == 0) return comparison;
  const bool more = test.sum > 0;
  comparison.ratio = more ? unbounded : 0;
  comparison.interval = more ? Interval{1, unbounded} : Interval{0, 1};
  comparison.answer = more ? Answer::slower : Answer::faster;
  return comparison;
}

/// Of two means, each with a spread of its own.
FactorComparison compare(const Observations& base, const Observations& next, double same) {
  const std::size_t complete_base = count_complete(base), complete_next = count_complete(next);
  if (complete_base < fewest_complete || complete_next < fewest_complete)
    return compare_order(base, next);
  FactorComparison comparison{std::numeric_limits<double>::quiet_NaN(), {0, unbounded}};
  const Likelihood of_base(base), of_next(next);
  const double best_base = of_base.best_mean(), best_next = of_next.best_mean();
  const double best = best_next - best_base;
  // The likeliest means that differ by so much.
  const auto at = [&](double difference) {
    const double low = std::min(of_base.low(), of_next.low() - difference);
    const double high = std::max(of_base.high(), of_next.high() - difference);
    const auto together = [&](double mean) {
      return of_base.at(mean) + of_next.at(mean + difference);
    };
    return together(argument_of_maximum(low, high, together));
  };
  const auto count = static_cast<double>(complete_base + complete_next);
  // As many degrees of freedom as the smaller side has, and at most one for each pair of means: the
  // spreads need not be alike.
  const auto least = static_cast<double>(std::min(complete_base, complete_next));
  const double level =
      of_base.at(best_base) + of_next.at(best_next) - allowed_fall(count, 2 * (least - 1));
  const double far = 100 * (of_base.high() - of_base.low() + of_next.high() - of_next.low());
  comparison.ratio = std::exp(best);
  comparison.interval = {std::exp(crossing(best, best - far, level, at)),
                         std::exp(crossing(best, best + far, level, at))};
  comparison.answer = answer_of(comparison, same);
  return comparison;
}

struct LoggedTrials {
  Observations seconds, samples, seconds_per_sample;
};

LoggedTrials logged(std::span<const QualityTrial> trials) {
  if (trials.empty()) throw std::invalid_argument("no trial");
  LoggedTrials result;
  for (const QualityTrial& trial : trials) {
    if (!(trial.samples > 0) || !(trial.seconds > 0) || !std::isfinite(trial.samples) ||
        !std::isfinite(trial.seconds))
      throw std::invalid_argument("a trial without samples or seconds");
    result.seconds.push_back({std::log(trial.seconds), trial.reached});
    result.samples.push_back({std::log(trial.samples), trial.reached});
    result.seconds_per_sample.push_back({std::log(trial.seconds / trial.samples), true});
  }
  return result;
}

}  // namespace

TimeToQuality time_to_quality(std::span<const QualityTrial> trials) {
  const LoggedTrials logs = logged(trials);
  return {.trials = trials.size(),
          .reached = count_complete(logs.samples),
          .seconds = factor_of(logs.seconds),
          .samples = factor_of(logs.samples),
          .seconds_per_sample = factor_of(logs.seconds_per_sample)};
}

QualityComparison compare_quality(std::span<const QualityTrial> base,
                                  std::span<const QualityTrial> next, const QualityLimits& limits) {
  const LoggedTrials left = logged(base), right = logged(next);
  return {.seconds = compare(left.seconds, right.seconds, limits.seconds),
          .samples = compare(left.samples, right.samples, limits.samples),
          .seconds_per_sample = compare(left.seconds_per_sample, right.seconds_per_sample,
                                        limits.seconds_per_sample)};
}

}  // namespace trainmark
