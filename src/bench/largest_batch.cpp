#include "bench/largest_batch.h"

#include <algorithm>

namespace trainmark {

namespace {

constexpr int parts = 16;      // of the first number
constexpr int precision = 32;  // the gap that is left: one part of so many

}  // namespace

int part_of(const SearchRange& range) {
  return std::max(1, range.first / parts);
}

int find_largest(const SearchRange& range, const std::function<Trial(int number)>& try_number) {
  const int part = part_of(range);
  int fits = 0;
  int too_large = range.most + 1;
  for (int number = range.first; number > 0 && number < too_large;) {
    const Trial trial = try_number(number);
    if (trial == Trial::broken) return 0;
    if (trial == Trial::too_large) {
      too_large = number;
      if (fits > 0) break;
      number = range.in_parts ? number / 2 / part * part : number / 2;
    } else {
      fits = number;
      if (too_large <= range.most) break;  // came from above
      if (number > range.most / 2) break;
      number *= 2;
    }
  }
  if (fits == 0) return 0;
  const int unit = fits >= range.first || range.in_parts ? part : 1;
  for (;;) {
    const int gap = std::min(too_large, range.most) - fits;
    const int middle = fits + gap / 2 / unit * unit;
    if (gap <= std::max(unit, fits / precision) || middle == fits) return fits;
    const Trial trial = try_number(middle);
    if (trial == Trial::broken) return 0;
    (trial == Trial::fits ? fits : too_large) = middle;
  }
}

}  // namespace trainmark
