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
constexpr std::size_t most_long_batches = 30;
// Fewer batches than this would make the error itself a matter of luck.
constexpr std::size_t fewest_batches = 10;

/// The error of a ratio of sums from batches of neighbouring steps.
struct BatchError {
  double relative = infinite;    // standard error ÷ value
  double half_width = infinite;  // 95 %, relative
  double correlation = 0;        // of one batch with the next
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
  BatchError error;
  error.relative = std::sqrt(squares * count / (count - 1)) / seconds;
  error.half_width = error.relative * student_t_quantile(0.975, count - 1);
  error.correlation = squares > 0 ? neighbours / squares : 0;
  return error;
}

/// Batches are made longer until neighbours no longer look correlated. Precise where steps are
/// independent, but blind to a slow wander that hides under much noise.
BatchError error_of_short_batches(const std::vector<double>& residuals, double seconds) {
  std::size_t batches = residuals.size() - 1;
  BatchError error = error_of_batches(residuals, batches, seconds);
  while (batches / 2 >= fewest_batches &&
         error.correlation > 1 / std::sqrt(static_cast<double>(batches))) {
    batches /= 2;
    error = error_of_batches(residuals, batches, seconds);
  }
  return error;
}

/// The wider of two errors: the precise one, and one of few long batches, which sees a slow wander
/// but is noisy. A stopping rule asks again and again and would sooner or later find the noisy one
/// small by luck; the precise one stands against that.
BatchError batch_error(const std::vector<double>& residuals, double seconds) {
  const BatchError precise = error_of_short_batches(residuals, seconds);
  const std::size_t steps = residuals.size() - 1;
  if (steps < 2 * most_long_batches) return precise;
  const BatchError wandering = error_of_batches(residuals, most_long_batches, seconds);
  return wandering.half_width > precise.half_width ? wandering : precise;
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
  result.interval = {result.value * std::exp(-error.half_width),
                     result.value * std::exp(error.half_width)};
  return result;
}

}  // namespace trainmark
