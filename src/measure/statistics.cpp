#include "measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trainmark {

double mean(std::span<const double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double center = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double median(std::span<const double> values) {
  return quantile(values, 0.5);
}

double quantile(std::span<const double> values, double q) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> order(values.begin(), values.end());
  const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(order.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto nth = order.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(order.begin(), nth, order.end());
  const double low = *nth;
  const double share = place - static_cast<double>(below);
  if (share == 0) return low;
  const double high = *std::min_element(nth + 1, order.end());
  return low + share * (high - low);
}

double median_absolute_deviation(std::span<const double> values) {
  const double center = median(values);
  std::vector<double> distances(values.size());
  std::transform(values.begin(), values.end(), distances.begin(),
                 [center](double value) { return std::abs(value - center); });
  return median(distances);
}

}  // namespace trainmark
