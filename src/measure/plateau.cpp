#include "measure/plateau.h"

#include <cmath>

namespace trainmark {

void Plateau::add(std::size_t steps, double half_width) {
  // A later cut of the warm-up makes the window smaller: what was seen with more steps is void.
  while (!history_.empty() && history_.back().steps >= steps) history_.pop_back();
  if (!history_.empty() &&
      static_cast<double>(steps) < 1.02 * static_cast<double>(history_.back().steps)) {
    return;
  }
  history_.push_back({steps, half_width});
  if (history_.size() > looks_) history_.pop_front();
}

bool Plateau::reached() const {
  if (history_.size() < looks_) return false;
  // The older against the newer quarter: single looks are noisy.
  const std::size_t quarter = looks_ / 4;
  double older = 0;
  double newer = 0;
  for (std::size_t i = 0; i < quarter; ++i) {
    older += std::log(history_[i].half_width);
    newer += std::log(history_[looks_ - 1 - i].half_width);
  }
  return newer - older > std::log1p(-shrink_) * static_cast<double>(quarter);
}

}  // namespace trainmark
