#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "measure/rule.h"
#include "measure/statistics.h"

// Trainers that take turns: alive together, one at work, the others held. A machine whose speed
// drifts by a third within minutes spoils every figure, but hardly the ratio of two turns that lie
// side by side.
//
// Turns come in blocks, there and back again: C A B B A C, in an order that is drawn again for each
// block. Every trainer stands in the middle of its block on average, so that a steady drift cancels
// out of all ratios, and what is left falls on everyone alike.

namespace trainmark {

/// What a block gave: seconds per item of each member, by its place in the group. NaN where it took
/// no part.
using TurnBlock = std::vector<double>;

/// How many times as fast as another member a member is.
struct PairedRatio {
  double ratio = 0;            // of throughputs; 0 where no block has both
  Interval interval;           // 95 %
  double half_width = 0;       // of the interval, on the scale of logarithms
  double sure_half_width = 0;  // the same at 99 %: what is called a difference must lie outside
  std::size_t blocks = 0;      // that have both
  /// Of the sums over all blocks. The ratio leaves out the blocks that lie farthest off on either
  /// side: what hits one turn only is the machine's more often than the trainer's.
  double whole_ratio = 0;
};

PairedRatio paired_ratio(std::span<const TurnBlock> blocks, std::size_t member, std::size_t base);

/// Of several rounds, in each of which all were restarted: what differs between starts decides,
/// and the noise inside a round is the floor.
PairedRatio combine_rounds(std::span<const PairedRatio> rounds);

/// When enough turns were taken.
struct TurnLimits {
  double interval = 0;         // half-width of the 95 % interval of every ratio
  double turn_seconds = 0;     // the least
  std::size_t turn_steps = 0;  // the least
  std::size_t min_blocks = 0;
  double max_seconds = 0;  // of each member's turns

  explicit TurnLimits(const RuleValues& values);
};

/// `seconds`: of the longest member's turns so far.
Decision decide_turns(const TurnLimits& limits, std::span<const TurnBlock> blocks, double seconds);

/// The rule of one member: it has no opinion of its own and stops when the group does.
class TurnsRule : public StoppingRule {
 public:
  explicit TurnsRule(std::size_t most_steps) : most_steps_(most_steps) {}

  /// The steps so far were the warm-up.
  void begin(std::size_t steps) { first_ = steps; }
  void stop(const Decision& decision) { decision_ = decision; }

  Decision decide(std::span<const Step> steps) override;
  Window window(std::span<const Step> steps) const override;
  std::size_t most_steps() const override { return most_steps_; }

 private:
  std::size_t most_steps_;
  std::size_t first_ = SIZE_MAX;  // of those that count
  Decision decision_;
};

}  // namespace trainmark
