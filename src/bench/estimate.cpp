#include "bench/estimate.h"

namespace trainmark {

namespace {

// To start a trainer, make its data and compile, typically: two for C++, up to half a minute for
// a compiler in Python.
constexpr double set_up_seconds = 5;

}  // namespace

std::optional<double> estimated_seconds(std::size_t cells, const Measuring& measuring) {
  const auto cap = measuring.values.find("max_seconds");
  if (cap == measuring.values.end()) return std::nullopt;
  return static_cast<double>(cells) * measuring.rounds * (set_up_seconds + cap->second);
}

int rounds_within(double seconds, std::size_t cells, Measuring measuring) {
  while (measuring.rounds > 1 && estimated_seconds(cells, measuring).value_or(0) > seconds)
    --measuring.rounds;
  return measuring.rounds;
}

}  // namespace trainmark
