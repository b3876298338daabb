#pragma once

#include <cstddef>
#include <deque>

namespace trainmark {

/// Tells when more steps no longer narrow an interval: the machine wanders as slowly as it is
/// watched. The idea is nvbench's, whose noise estimates come one a sample; here a look counts only
/// at 2 % more steps than the look before, so that 100 of them span a growth of seven times, over
/// which the interval of independent steps shrinks to 38 % of itself. That is far more than the
/// luck of an estimate, so a plateau is not seen where there is none.
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
