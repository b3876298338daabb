#pragma once

#include <cstdint>
#include <limits>

namespace trainmark {

/// The largest number of items, seconds and items per second that any training has. What lies
/// beyond is a misprint; its sums would overflow.
constexpr double largest_figure = 1e20;

/// One optimizer step as the trainer timed it.
struct Step {
  std::int64_t index = 0;
  double end = 0;      // seconds on the trainer's monotonic clock
  double seconds = 0;  // the step's own duration; gaps between steps are not in it
  double items = 0;    // images, sequences, tokens, … of this rank
  double loss = std::numeric_limits<double>::quiet_NaN();  // NaN where has_loss is false, too
  bool has_loss = false;  // a loss was reported with this step, be it NaN or not
  // Seconds of this step in which collectives were under way, and those of them in which the step
  // did nothing but wait for them; NaN where the trainer does not tell.
  double communication = std::numeric_limits<double>::quiet_NaN();
  double exposed = std::numeric_limits<double>::quiet_NaN();
  // Seconds of this step in which it waited for its input; NaN likewise.
  double input = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace trainmark
