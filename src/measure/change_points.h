#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "measure/statistics.h"

namespace trainmark {

struct ChangeLimits {
  double false_alarm = 0.01;  // of one history in which nothing has changed: a change is seen in it
  double same = 0.01;         // a difference inside ±1 % is none
};

/// Neighbouring results of one speed. All on the scale of log seconds per item.
struct HistoryPart {
  std::size_t first = 0;
  std::size_t end = 0;  // one beyond the last
  double mean = 0;
  /// Where a further result of the same speed would lie, with 95 %. Infinite where the spread is
  /// not known.
  Interval band;
};

struct ChangePoint {
  std::size_t at = 0;  // the first result of the new speed
  double ratio = 1;    // throughput after ÷ before
  Interval interval;   // 95 %, of the ratio
};

struct ChangeHistory {
  std::vector<HistoryPart> parts;  // at least one, where there is a value
  std::vector<ChangePoint> changes;
};

/// The fewest results that a change can be told from.
constexpr std::size_t fewest_for_change = 4;

/// Where a history of results, one a value, changed its speed. The scatter between results, not
/// inside them, is the noise: a machine is a little different every day.
///
/// The place that divides the values best (the largest t of the difference of the two means, their
/// spread pooled) is a change where that t is beyond its quantile at half of `false_alarm` ÷ the
/// number of places (Bonferroni), and the difference is more than `same`. Where there is none, the
/// two places that divide them best are tried in the same way, with the other half. The parts are
/// then looked at likewise. In a history without a change one of the first two tests has to fail
/// for any to be seen, so that `false_alarm` holds for the whole of it.
ChangeHistory find_changes(std::span<const double> log_seconds, const ChangeLimits& limits = {});

}  // namespace trainmark
