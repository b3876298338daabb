#pragma once

#include "base/time.h"

namespace trainmark {

/// Keeps an observation from disturbing what it observes: one that took long is not repeated until
/// a thousand times as long has passed, so that it never costs more than 0.1 % of a core. (Listing
/// 5000 processes takes some milliseconds, asking a GPU likewise.)
class Pace {
 public:
  /// Off for made-up machines, whose time does not pass.
  explicit Pace(bool on) : on_(on) {}

  bool due() const { return !on_ || monotonic_seconds() >= next_; }

  template <class Observation>
  void observe(const Observation& observation) {
    const double begin = monotonic_seconds();
    observation();
    const double end = monotonic_seconds();
    const double cost = end - begin;
    next_ = cost < negligible ? end : end + cost / share;
  }

 private:
  static constexpr double share = 0.001;
  static constexpr double negligible = 200e-6;  // seconds

  bool on_;
  double next_ = 0;
};

}  // namespace trainmark
