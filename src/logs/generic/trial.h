#pragma once

#include <optional>
#include <vector>

#include "logs/generic/line_class.h"
#include "logs/generic/scheme.h"

namespace trainmark {

/// Which columns of a kind of lines are read, and how.
struct TrialColumns {
  std::optional<std::size_t> rate = {};
  bool rate_is_item_seconds = false;
  std::optional<std::size_t> time = {};
  std::optional<std::size_t> epoch = {};
  std::optional<std::size_t> wall = {};
  bool wall_is_milliseconds = false;
  bool by_arrival = false;
};

/// What comes of reading them so.
struct ReadingTrial {
  std::size_t paces = 0;
  double steps = 0;
  double seconds = 0;                  // of these steps
  double agreement = not_known;        // time by the lines ÷ time by their moments: the median
  double whole_agreement = not_known;  // the same of all together
  double items_spread = not_known;     // of rate × time of a step, relative
  double wall_span = not_known;        // between the first and the last line
};

ReadingTrial try_reading(const LineClass& kind, const TrialColumns& columns, const PaceRules& rules,
                         double wall_resolution);

/// A line's numbers, by these columns.
CounterReading reading_of(const LineClass& kind, const LineClass::Row& row,
                          const TrialColumns& columns);

/// How far two times are apart, as the logarithm of their ratio; 0 where it is not known.
double off_by(double ratio);

/// The middle of some values; NaN of none.
double middle(std::vector<double> values);

}  // namespace trainmark
