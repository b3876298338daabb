#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "logs/grammar/record.h"

namespace trainmark {

/// What the numbers of a line mean when they are a time.
enum class TimeMeaning : unsigned char {
  none,
  per_step,      // of one step, or a mean over the last ones
  per_interval,  // of all the steps since the line before
  pass_mean,     // a mean since the pass began
  cumulative,    // since the pass or the program began
  wall           // the moments of the lines: time stamps, or when they came
};

const char* text(TimeMeaning meaning);

/// One line's numbers, as far as it has them.
struct CounterReading {
  double counter = not_known;
  double total = not_known;  // of the counter: 5005 in `10/5005`
  double epoch = not_known;
  double rate = not_known;  // items per second
  double time = not_known;  // seconds
  double wall = not_known;  // the moment of the line
};

/// How such lines are read.
struct PaceRules {
  TimeMeaning time = TimeMeaning::none;
  bool rate_is_pass_mean = false;
  bool counted = true;         // lines have a counter; else each is one step
  bool zero_based = false;     // the first step of a pass is 0
  bool full_passes = false;    // every line is the end of a pass: `100/100`
  bool sum_restarts = false;   // a cumulative time starts again with every pass
  std::size_t parts = 1;       // lines that share a counter and make one step together
  double resolution = 0;       // of the time, in seconds
  double rate_resolution = 0;  // relative
};

/// What some steps took.
struct StepPace {
  double steps = 0;            // that it covers
  double seconds = not_known;  // of one of them
  double rate = not_known;     // items per second
  std::int64_t step = -1;
  std::int64_t pass = -1;  // -1 where the counter never begins again
  bool restart = false;    // the first of another run
};

/// Follows a counter from line to line, and says how fast it went. Means and sums since the start
/// are taken apart; of coarse ones, several lines are put together.
class PaceKeeper {
 public:
  explicit PaceKeeper(const PaceRules& rules) : rules_(rules) {}

  /// Adds what the line tells to `paces`: nothing, one, or the rest of a pass and one.
  void add(const CounterReading& reading, std::vector<StepPace>& paces);

 private:
  enum class Relation { first, forward, repeat, pass, restart };

  /// Where steps and time are counted from.
  struct Mark {
    double done = 0;     // steps of the pass
    double time = 0;     // what the pass or the program has taken until then
    double weighed = 0;  // the same by a mean rate, in items
  };

  /// Adds the time of a part to those of the same step. False until the step is whole.
  bool completes(CounterReading& reading);
  Relation relation_of(const CounterReading& reading) const;
  double done(double counter) const { return counter + (rules_.zero_based ? 1 : 0); }
  bool telescopes() const {
    return rules_.time == TimeMeaning::pass_mean || rules_.time == TimeMeaning::cumulative ||
           rules_.time == TimeMeaning::wall || rules_.rate_is_pass_mean;
  }
  void begin(const CounterReading& reading, Relation relation);
  void measure(const CounterReading& reading, bool last, std::vector<StepPace>& paces);
  double sum_of(const CounterReading& reading) const;

  PaceRules rules_;
  bool begun_ = false;
  CounterReading before_;
  Mark mark_;
  CounterReading part_;    // the last one
  double parts_time_ = 0;  // of the step so far
  std::size_t parts_ = 0;
  double lines_ = 0;  // without a counter, lines are counted
  std::int64_t pass_ = 0;
  bool passes_ = false;
  bool fresh_run_ = false;
};

}  // namespace trainmark
