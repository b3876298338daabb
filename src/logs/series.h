#pragma once

#include <span>
#include <vector>

#include "base/step.h"
#include "logs/contents.h"
#include "measure/window.h"

namespace trainmark {

/// The records of one run as steps, so that src/measure can judge them like steps of our own.
struct Series {
  std::vector<Step> steps;        // with the items and seconds that each record tells
  std::vector<Step> equal_steps;  // all of the same length: items ÷ time is the mean of rates
  std::vector<double> rates;
  std::vector<double> lines;  // that each record was made of

  std::size_t size() const { return steps.size(); }
  void add(double items, double seconds, double weight, double lines = 1);
};

/// Of records with a rate, of records with the time of a step, or else of time stamps. Empty where
/// the records tell none of these, or times are all there is and the items of a step not known.
Series make_series(std::span<const Record> records, double items = not_known);

/// The records that count: the steady state, or the second half where they are too few to find it.
struct SeriesWindow {
  Window window;
  bool unsteady = false;
  bool nearly_all = false;  // whatever the steady state is
};
SeriesWindow steady_window(const Series& series);

/// All records but the first tenth, and at least one of several: what anybody can count again.
SeriesWindow window_without_a_tenth(const Series& series);

}  // namespace trainmark
