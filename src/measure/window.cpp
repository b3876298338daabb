#include "measure/window.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"

namespace trainmark {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Enough batches that t is near its limit (2.05 for 29 degrees), and few enough that a batch soon
// spans many steps: what is correlated then lies inside a batch.
constexpr std::size_t long_batches = 30;

/// The error of a ratio of sums from batches of neighbouring steps.
struct BatchError {
  double relative = infinite;  // standard error ÷ value
  double degrees = 1;          // of freedom, for t
  double correlation = 0;      // of one batch with the next

  double half_width() const { return relative * student_t_quantile(0.975, degrees); }
};

/// `residuals[i]` is the sum over the first i steps of seconds - items × mean seconds per item, so
/// that any cut into batches costs one pass over the batches only.
BatchError error_of_batches(const std::vector<double>& residuals, std::size_t batches,
                            double seconds) {
  const std::size_t steps = residuals.size() - 1;
  double squares = 0;
  double neighbours = 0;
  double before = 0;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t first = batch * steps / batches;
    const std::size_t last = (batch + 1) * steps / batches;
    const double excess = residuals[last] - residuals[first];
    squares += excess * excess;
    neighbours += excess * before;
    before = excess;
  }
  const auto count = static_cast<double>(batches);
  return {.relative = std::sqrt(squares * count / (count - 1)) / seconds,
          .degrees = count - 1,
          .correlation = squares > 0 ? neighbours / squares : 0};
}

/// Every step a batch of its own, made wider for the correlation of neighbours as if the noise were
/// autoregressive: n such steps tell as much as n (1 - r) / (1 + r) independent ones. Precise, but
/// blind to a slow wander that hides under much noise.
BatchError error_of_steps(const std::vector<double>& residuals, double seconds) {
  const std::size_t steps = residuals.size() - 1;
  const auto count = static_cast<double>(steps);
  BatchError error = error_of_batches(residuals, steps, seconds);
  // Short series show too little correlation: (1 + 4 r) / n is what is missing on average.
  const double missing = (1 + 4 * error.correlation) / count;
  const double correlation = std::clamp(error.correlation + missing, 0.0, 0.99);
  const double worth = (1 - correlation) / (1 + correlation);
  error.relative /= std::sqrt(worth);
  error.degrees = std::max(1.0, count * worth - 1);
  return error;
}

/// The wider of two errors: the precise one, and one of few long batches, which sees a slow wander
/// but is noisy. A stopping rule asks again and again and would sooner or later find the noisy one
/// small by luck; the precise one stands against that.
BatchError batch_error(const std::vector<double>& residuals, double seconds) {
  const BatchError precise = error_of_steps(residuals, seconds);
  const std::size_t steps = residuals.size() - 1;
  if (steps < 2 * long_batches) return precise;
  const BatchError wandering = error_of_batches(residuals, long_batches, seconds);
  return wandering.half_width() > precise.half_width() ? wandering : precise;
}

/// From the slowest step's to the fastest one's.
Interval rates_of_steps(std::span<const Step> steps, Window window) {
  Interval rates{infinite, 0};
  for (std::size_t i = window.first; i < window.last; ++i) {
    const double seconds = step_interval(steps, i);
    const double rate = seconds > 0 ? steps[i].items / seconds : infinite;
    rates.low = std::min(rates.low, rate);
    rates.high = std::max(rates.high, rate);
  }
  return rates;
}

}  // namespace

double step_interval(std::span<const Step> steps, std::size_t index) {
  return index == 0 ? steps[0].seconds : steps[index].end - steps[index - 1].end;
}

Throughput throughput(std::span<const Step> steps, Window window) {
  TRAINMARK_ASSERT(window.last <= steps.size());
  Throughput result;
  result.relative_error = infinite;
  result.interval = {0, infinite};
  if (window.size() == 0) return result;

  for (std::size_t i = window.first; i < window.last; ++i) result.items += steps[i].items;
  const double begin =
      window.first == 0 ? steps[0].end - steps[0].seconds : steps[window.first - 1].end;
  result.seconds = steps[window.last - 1].end - begin;
  if (!(result.seconds > 0) || !(result.items > 0)) return result;
  result.value = result.items / result.seconds;
  if (window.size() < 2) return result;

  std::vector<double> residuals(window.size() + 1, 0.0);
  for (std::size_t i = window.first; i < window.last; ++i) {
    const std::size_t place = i - window.first;
    residuals[place + 1] =
        residuals[place] + step_interval(steps, i) - steps[i].items / result.value;
  }
  const BatchError error = batch_error(residuals, result.seconds);
  result.relative_error = error.relative;
  // On a logarithmic scale, so that a wide interval of a rate stays above zero.
  const double half = error.half_width();
  result.interval = {result.value * std::exp(-half), result.value * std::exp(half)};
  const Interval rates = rates_of_steps(steps, window);
  result.interval.low =
      std::clamp(result.interval.low, std::min(rates.low, result.value), result.value);
  result.interval.high =
      std::clamp(result.interval.high, result.value, std::max(rates.high, result.value));
  return result;
}

double half_width(double value, const Interval& interval) {
  if (!(value > 0)) return infinite;
  return std::max(interval.high - value, value - interval.low) / value;
}

}  // namespace trainmark
