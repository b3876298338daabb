#include "bench/largest_batch.h"

#include <algorithm>

namespace trainmark {

namespace {

constexpr int most_batch = 10'000'000;  // as in suites
constexpr int parts = 16;               // of the first batch
constexpr int precision = 32;           // the gap that is left: one part of so many

}  // namespace

int find_largest_batch(int first, const std::function<Trial(int batch)>& try_batch) {
  int fits = 0;
  int too_large = most_batch + 1;
  for (int batch = first; batch > 0 && batch < too_large && batch <= most_batch;) {
    const Trial trial = try_batch(batch);
    if (trial == Trial::broken) return 0;
    if (trial == Trial::too_large) {
      too_large = batch;
      if (fits > 0) break;
      batch /= 2;
    } else {
      fits = batch;
      if (too_large <= most_batch) break;  // came from above
      batch *= 2;
    }
  }
  if (fits == 0) return 0;
  const int unit = fits >= first ? std::max(1, first / parts) : 1;
  for (;;) {
    const int gap = std::min(too_large, most_batch) - fits;
    const int middle = fits + gap / 2 / unit * unit;
    if (gap <= std::max(unit, fits / precision) || middle == fits) return fits;
    const Trial trial = try_batch(middle);
    if (trial == Trial::broken) return 0;
    (trial == Trial::fits ? fits : too_large) = middle;
  }
}

}  // namespace trainmark
