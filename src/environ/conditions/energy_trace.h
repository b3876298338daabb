#pragma once

#include <optional>
#include <vector>

namespace trainmark {

/// What an energy counter said, from time to time.
class EnergyTrace {
 public:
  struct Reading {
    double time, joules;
  };

  /// `time` on the monotonic clock, in seconds; later than all before it.
  void add(double time, double joules);

  /// The mean power between the first and the last reading inside [begin, end]; nothing where they
  /// are less than a second apart: drivers renew the counter ten times a second, and a shorter span
  /// would tell of that.
  std::optional<double> watts(double begin, double end) const;

  const std::vector<Reading>& readings() const { return readings_; }

 private:
  std::vector<Reading> readings_;
};

}  // namespace trainmark
