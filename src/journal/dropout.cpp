#include "journal/dropout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "measure/statistics.h"

namespace trainmark {

namespace {

constexpr std::size_t fewest_losses = 10;
constexpr double no_scatter = 1e-12;  // variance ÷ mean²: that of rounding

/// From second differences, in which a trend leaves nothing as long as it is nearly a line.
double variance_around_trend(const std::vector<double>& losses) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < losses.size(); ++i) {
    const double bend = losses[i - 1] - 2 * losses[i] + losses[i + 1];
    sum += bend * bend;
  }
  return sum / (6 * static_cast<double>(losses.size() - 2));
}

}  // namespace

double DropoutDifference::errors() const {
  return std::max(std::abs(mean) / std::max(mean_error, 1e-300),
                  std::abs(std::log(scatter)) / scatter_error);
}

DropoutDifference compare_dropout(const std::vector<double>& reference,
                                  const std::vector<double>& losses, double rate) {
  if (reference.size() != losses.size() || losses.size() < fewest_losses) {
    throw UserError(fmt::format("with dropout it reported {} losses, the reference {}",
                                losses.size(), reference.size()));
  }
  const auto finite = [](double loss) { return std::isfinite(loss); };
  if (!std::all_of(reference.begin(), reference.end(), finite) ||
      !std::all_of(losses.begin(), losses.end(), finite)) {
    throw UserError("with dropout, a loss is not a number");
  }
  const auto count = static_cast<double>(losses.size());
  const double usual = std::max(std::abs(mean(reference)), 1e-300);
  const double expected = variance_around_trend(reference);
  const double own = variance_around_trend(losses);
  if (expected <= no_scatter * usual * usual) {
    throw UserError("with dropout, the losses of the reference do not scatter: it drops nothing");
  }
  DropoutDifference difference;
  difference.rate = rate;
  difference.steps = static_cast<int>(losses.size());
  difference.mean = (mean(losses) - mean(reference)) / usual;
  difference.mean_error = std::sqrt((own + expected) / count) / usual;
  difference.scatter = own / expected;
  // A variance from n second differences of normal numbers has a relative error of √(35 / 9n).
  difference.scatter_error = std::sqrt(2 * 35 / (9 * count));
  return difference;
}

}  // namespace trainmark
