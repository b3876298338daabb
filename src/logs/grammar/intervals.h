#pragma once

#include <cmath>
#include <cstdint>

#include "logs/grammar/record.h"

namespace trainmark {

/// What lies between two records of a program that prints every so many steps.
struct Stretch {
  double steps = not_known;
  double seconds = not_known;  // of all of them
  double input = not_known;    // likewise, waiting for input
};

/// Writes a stretch into its record, as the time of one step and their number.
inline void set_stretch(Record& record, const Stretch& stretch) {
  record.steps = stretch.steps;
  record.seconds = stretch.seconds / stretch.steps;
  record.input = stretch.input / stretch.steps;
}

/// How many steps each record stands for, by their numbers: those since the record before.
class StepGaps {
 public:
  /// Where the numbers begin again, as many as in the usual gap; 1 for the first record.
  double take(std::int64_t step) {
    if (last_ >= 0 && step > last_) gap_ = static_cast<double>(step - last_);
    const bool again = last_ >= 0 && step < last_;
    last_ = step;
    return again ? std::fmin(gap_, static_cast<double>(step > 0 ? step : 1)) : gap_;
  }

 private:
  std::int64_t last_ = -1;
  double gap_ = 1;
};

/// Takes means since the epoch began (or since the start) apart: n × mean − m × mean before is the
/// time of what lies between. Printed means are rounded: where that leaves no time at all, the next
/// record tells of both.
class MeansSinceBegin {
 public:
  /// `done`: steps that the mean counts. False where the record tells nothing yet.
  bool take(std::int64_t epoch, double done, double mean, double mean_input, Record& record) {
    if (epoch == epoch_ && done == seen_.steps) return false;  // printed again
    if (epoch != epoch_ || done < seen_.steps) begin(epoch);
    const Stretch now{done, done * mean, done * mean_input};
    Stretch stretch = minus(now, told_);
    // Some descendants start their means again with every line.
    if (stretch.seconds < -0.5 * stretch.steps * mean) {
      const double steps = done - seen_.steps;
      stretch = {steps, steps * mean, steps * mean_input};
    }
    seen_ = now;
    ++states_;
    if (!positive(stretch.seconds)) return false;
    set_stretch(record, stretch);
    record.weight = static_cast<float>(states_);
    states_ = 0;
    told_ = now;
    return true;
  }

 private:
  static Stretch minus(const Stretch& left, const Stretch& right) {
    return {left.steps - right.steps, left.seconds - right.seconds, left.input - right.input};
  }

  /// What the epoch before did not tell goes into this one's first record.
  void begin(std::int64_t epoch) {
    epoch_ = epoch;
    told_ = minus(told_, seen_);
    seen_ = {0, 0, 0};
  }

  std::int64_t epoch_ = -2;
  Stretch seen_{0, 0, 0};  // since the epoch began, at the last line
  Stretch told_{0, 0, 0};  // likewise at the last record
  int states_ = 0;         // lines since then
};

}  // namespace trainmark
