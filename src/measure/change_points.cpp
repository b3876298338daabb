#include "measure/change_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainmark {

namespace {

constexpr std::size_t fewest_for_two_changes = 6;
constexpr std::size_t most_for_two_changes = 1000;  // all pairs of places are tried

using Values = std::span<const double>;

/// Means and squares of any neighbouring values at once: histories may be long.
class RunningSums {
 public:
  explicit RunningSums(Values values) : sums_(1, 0), squares_(1, 0), centre_(mean(values)) {
    for (const double value : values) {
      // Around the centre, so that little is lost where squares are subtracted.
      sums_.push_back(sums_.back() + value - centre_);
      squares_.push_back(squares_.back() + (value - centre_) * (value - centre_));
    }
  }

  std::size_t size() const { return sums_.size() - 1; }
  double mean_of(std::size_t first, std::size_t end) const {
    return centre_ + (sums_[end] - sums_[first]) / static_cast<double>(end - first);
  }
  /// Squares around the mean of the values themselves.
  double squares_of(std::size_t first, std::size_t end) const {
    const double sum = sums_[end] - sums_[first];
    const double squares = squares_[end] - squares_[first];
    return std::max(0.0, squares - sum * sum / static_cast<double>(end - first));
  }

 private:
  std::vector<double> sums_, squares_;
  double centre_;
};

/// A way to divide values into two or three, and how clear it is.
struct Division {
  std::vector<std::size_t> borders;
  double t = -1;          // of its least clear border
  double difference = 0;  // of the means at its smallest border
};

/// `ends` are the borders with the first and the last place around them.
Division divided(const RunningSums& sums, const std::vector<std::size_t>& ends) {
  double squares = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) squares += sums.squares_of(ends[i - 1], ends[i]);
  const std::size_t parts = ends.size() - 1;
  const double variance =
      squares / (static_cast<double>(ends.back() - ends.front()) - static_cast<double>(parts));
  Division division{{ends.begin() + 1, ends.end() - 1},
                    std::numeric_limits<double>::infinity(),
                    std::numeric_limits<double>::infinity()};
  for (std::size_t i = 1; i < parts; ++i) {
    const double difference =
        std::abs(sums.mean_of(ends[i], ends[i + 1]) - sums.mean_of(ends[i - 1], ends[i]));
    const double error = std::sqrt(variance * (1.0 / static_cast<double>(ends[i] - ends[i - 1]) +
                                               1.0 / static_cast<double>(ends[i + 1] - ends[i])));
    const double t = error > 0 ? difference / error : difference > 0 ? division.t : 0;
    division.t = std::min(division.t, t);
    division.difference = std::min(division.difference, difference);
  }
  return division;
}

bool is_change(const Division& division, double ways, double degrees, const ChangeLimits& limits) {
  // Half of the false alarms for one change, half for two.
  const double limit = student_t_quantile(1 - limits.false_alarm / 4 / ways, degrees);
  return division.t > limit && division.difference > std::log1p(limits.same);
}

/// The clearest change between `first` and `end`; where none shows, the clearest two: a speed that
/// fell and came back looks like noise to a single border. (One odd result between them is no
/// change.)
std::vector<std::size_t> clearest_changes(const RunningSums& sums, std::size_t first,
                                          std::size_t end, const ChangeLimits& limits) {
  const auto count = static_cast<double>(end - first);
  if (end - first < fewest_for_change) return {};
  Division one;
  for (std::size_t at = first + 1; at < end; ++at)
    if (Division division = divided(sums, {first, at, end}); division.t > one.t) one = division;
  if (is_change(one, count - 1, count - 2, limits)) return one.borders;
  if (end - first < fewest_for_two_changes || end - first > most_for_two_changes) return {};
  Division two;
  for (std::size_t at = first + 1; at < end; ++at)
    for (std::size_t next = at + 2; next < end; ++next)
      if (Division division = divided(sums, {first, at, next, end}); division.t > two.t)
        two = division;
  const double pairs = (count - 1) * (count - 2) / 2;
  return is_change(two, pairs, count - 3, limits) ? two.borders : std::vector<std::size_t>{};
}

void look_for_changes(const RunningSums& sums, std::size_t first, std::size_t end,
                      const ChangeLimits& limits, std::vector<std::size_t>& found) {
  std::vector<std::size_t> borders = clearest_changes(sums, first, end, limits);
  if (borders.empty()) return;
  borders.push_back(end);
  for (const std::size_t border : borders) {
    look_for_changes(sums, first, border, limits, found);
    if (border != end) found.push_back(border);
    first = border;
  }
}

/// What the parts have in common: how far results of one speed scatter.
struct Scatter {
  double deviation = 0;
  double degrees = 0;
};

Scatter scatter_of(const RunningSums& sums, const std::vector<HistoryPart>& parts) {
  double squares = 0;
  for (const HistoryPart& part : parts) squares += sums.squares_of(part.first, part.end);
  const double degrees = static_cast<double>(sums.size()) - static_cast<double>(parts.size());
  return {degrees > 0 ? std::sqrt(squares / degrees) : 0, degrees};
}

double half_width(const Scatter& scatter, double share) {
  if (!(scatter.degrees > 0)) return std::numeric_limits<double>::infinity();
  return student_t_quantile(0.975, scatter.degrees) * scatter.deviation * std::sqrt(share);
}

}  // namespace

ChangeHistory find_changes(Values log_seconds, const ChangeLimits& limits) {
  ChangeHistory history;
  if (log_seconds.empty()) return history;
  std::vector<std::size_t> borders;
  const RunningSums sums(log_seconds);
  look_for_changes(sums, 0, sums.size(), limits, borders);
  borders.push_back(log_seconds.size());
  std::size_t first = 0;
  for (const std::size_t end : borders) {
    history.parts.push_back({first, end, sums.mean_of(first, end), {}});
    first = end;
  }
  const Scatter scatter = scatter_of(sums, history.parts);
  const auto size = [](const HistoryPart& part) {
    return static_cast<double>(part.end - part.first);
  };
  for (HistoryPart& part : history.parts) {
    const double half = half_width(scatter, 1 + 1 / size(part));
    part.band = {part.mean - half, part.mean + half};
  }
  for (std::size_t i = 1; i < history.parts.size(); ++i) {
    const HistoryPart& before = history.parts[i - 1];
    const HistoryPart& after = history.parts[i];
    const double faster = before.mean - after.mean;
    const double half = half_width(scatter, 1 / size(before) + 1 / size(after));
    history.changes.push_back(
        {after.first, std::exp(faster), {std::exp(faster - half), std::exp(faster + half)}});
  }
  return history;
}

}  // namespace trainmark
