#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/step.h"
#include "logs/contents.h"
#include "measure/window.h"

namespace trainmark {

/// The records of one run as steps, so that src/measure can judge them like steps of our own.
struct Series {
  std::vector<Step> steps;  // with the items and seconds that each record tells
  std::vector<Step>
      equal_steps;  // every record of the same length: its items ÷ time is the mean of rates
  std::vector<double> rates;

  std::size_t size() const { return steps.size(); }
  void add(double items, double seconds, double weight);
};

/// What a series needs that records of times alone do not tell.
struct StepItems {
  double per_step = not_known;  // in the scope of the records
};

/// Of records with a rate, of records with the time of a step, or else of time stamps. Empty where
/// the records tell none of these, or times without `items` are all there is.
Series make_series(std::span<const Record> records, const StepItems& items);

/// The records that count: the steady state, or the second half where they are too few to find it.
struct SeriesWindow {
  Window window;
  bool too_few = false;
  bool unsteady = false;
};
SeriesWindow steady_window(const Series& series);

}  // namespace trainmark
