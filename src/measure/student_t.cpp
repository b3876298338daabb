#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "measure/statistics.h"

// The quantile is found by solving tail(t) = q, where the upper tail of Student's t is half a
// regularised incomplete beta function. Working with the tail, not with 1 - tail, keeps the digits
// of far quantiles.

namespace trainmark {

namespace {

/// The continued fraction of the incomplete beta function (modified Lentz). Converges fast for
/// x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto away_from_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= c * d;
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return fraction;
}

/// I_x(a, b). `y` is 1 - x, given apart since it may be far smaller than x can tell.
double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log(y));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, y) / b;
}

double student_tail(double t, double degrees) {
  const double whole = degrees + t * t;
  return 0.5 * incomplete_beta(degrees / 2, 0.5, degrees / whole, t * t / whole);
}

double normal_tail(double z) {
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

/// The z >= 0 that a normal number exceeds with probability `q` <= 1/2. The tail is convex, so
/// Newton's method comes from below and never passes the answer.
double normal_upper_quantile(double q) {
  double z = 0;
  for (int i = 0; i < 200; ++i) {
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    const double step = (normal_tail(z) - q) / density;
    z += step;
    if (!(step > 1e-15 * z)) break;
  }
  return z;
}

/// Cornish-Fisher around the normal; the first term left out is of the order degrees^-3.
double expansion(double q, double degrees) {
  const double z = normal_upper_quantile(q);
  const double square = z * z;
  return z + z * (square + 1) / (4 * degrees) +
         z * ((5 * square + 16) * square + 3) / (96 * degrees * degrees);
}

/// The t >= 0 that is exceeded with probability `q` <= 1/2: Newton's method inside a bracket, which
/// halves (or doubles, while it has no upper end) where Newton would leave it.
double upper_quantile(double q, double degrees) {
  const double start = expansion(q, degrees);
  if (degrees > 1e4) return start;
  const double scale = std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2) -
                       0.5 * std::log(degrees * std::numbers::pi);
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  double t = start;
  for (int i = 0; i < 2000; ++i) {
    const double surplus = student_tail(t, degrees) - q;
    (surplus > 0 ? low : high) = t;
    const double density = std::exp(scale - 0.5 * (degrees + 1) * std::log1p(t * t / degrees));
    double next = t + surplus / density;
    if (!(next > low && next < high)) next = std::isinf(high) ? 2 * t : 0.5 * (low + high);
    if (std::abs(next - t) <= 1e-14 * t) return next;
    t = next;
  }
  return t;
}

}  // namespace

double student_t_quantile(double probability, double degrees) {
  TRAINMARK_ASSERT(probability > 0 && probability < 1 && degrees > 0);
  return probability < 0.5 ? -upper_quantile(probability, degrees)
                           : upper_quantile(1 - probability, degrees);
}

}  // namespace trainmark
