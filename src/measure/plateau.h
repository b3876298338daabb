#pragma once

#include <cstddef>
#include <deque>

namespace trainmark {

/// Tells when more steps no longer narrow an interval: the machine wanders as slowly as it is
/// watched. Looks count only at 2 % more steps than the look before, so that 64 of them span a
/// growth of 3.5 times, over which the interval of independent steps shrinks to about a half.
class Plateau {
 public:
  Plateau(std::size_t looks, double shrink) : looks_(looks), shrink_(shrink) {}

  void add(std::size_t steps, double half_width);
  bool reached() const;

 private:
  struct Look {
    std::size_t steps;
    double half_width;
  };

  std::size_t looks_;
  double shrink_;
  std::deque<Look> history_;
};

}  // namespace trainmark
