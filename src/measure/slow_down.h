#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "measure/turns.h"

// Which commit made a program slower? A commit is compared with the good end of the range, once or
// several times; each time both are restarted and take turns. What is asked here is asked of one
// commit at a time: does it belong to the good end or to the bad one?

namespace trainmark {

/// How much slower than the good end a commit is, on the scale of logarithms: above 0 = slower.
struct SlowDown {
  double value = 0;
  double half_width = 0;       // of the 95 % interval
  double sure_half_width = 0;  // of the 99 % interval, by which sides are taken
  std::size_t comparisons = 0;

  PairedRatio ratio() const;  // of throughputs, commit ÷ good end
};

/// How far comparisons of one commit lie apart that should have given the same, beyond the noise
/// inside them: a standard deviation, from all commits that were compared more than once. Two
/// starts of one program differ (memory layout, neighbours), and never by less than
/// `least_start_spread`: 0.3 % each.
double start_spread(std::span<const std::vector<PairedRatio>> commits);

constexpr double least_start_spread = 0.0042;

/// The mean of comparisons, commit ÷ good end, each weighed by how well it is known. Its interval
/// holds the noise inside each of them and the spread between starts.
SlowDown combine_comparisons(std::span<const PairedRatio> comparisons, double spread);

/// The difference of two commits that were both compared with the good end.
SlowDown difference(const SlowDown& slower, const SlowDown& faster);

enum class EndsAnswer {
  slower,      // by the least that matters, or more
  less,        // slower, but by less than that
  not_slower,  // not by that much
  faster,
  open,  // more comparisons are needed
};

/// Is there anything to look for? `least`: the slow-down that matters, on the scale of logarithms.
EndsAnswer judge_ends(const SlowDown& whole, double least);

enum class Side { good, bad, open };

/// The side of the half-way point of the whole slow-down on which a commit surely lies. One that is
/// surely about half-way has a part of the slow-down: it is bad, since the first such commit is
/// wanted.
Side side_of(const SlowDown& commit, const SlowDown& whole);

/// To what half-width one comparison should measure, so that few of them decide.
double wanted_interval(double slow_down);

/// About how many more comparisons would decide, if all went on as it did.
std::size_t more_comparisons(const SlowDown& commit, const SlowDown& whole);

}  // namespace trainmark
