#pragma once

#include <span>
#include <vector>

namespace trainmark {

/// A two-sided interval. All of Trainmark's intervals are at 95 % unless a name says otherwise.
struct Interval {
  double low = 0;
  double high = 0;

  bool contains(double value) const { return low <= value && value <= high; }
};

double mean(std::span<const double> values);
/// Sample standard deviation (n - 1); 0 for fewer than two values.
double standard_deviation(std::span<const double> values);
double median(std::span<const double> values);
/// Linear interpolation between order statistics; `q` in [0, 1].
double quantile(std::span<const double> values, double q);
/// Median absolute deviation from the median (not scaled).
double median_absolute_deviation(std::span<const double> values);

/// Quantile of Student's t: the value that T stays below with `probability`.
double student_t_quantile(double probability, double degrees);

}  // namespace trainmark
