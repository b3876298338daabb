#include "environ/conditions/energy_trace.h"

#include <algorithm>
#include <iterator>

namespace trainmark {

namespace {

constexpr double shortest_span = 1;             // seconds
constexpr std::size_t most_readings = 100'000;  // a day

}  // namespace

void EnergyTrace::add(double time, double joules) {
  if (readings_.size() < most_readings) readings_.push_back({time, joules});
}

std::optional<double> EnergyTrace::watts(double begin, double end) const {
  const auto first = std::find_if(readings_.begin(), readings_.end(),
                                  [&](const Reading& reading) { return reading.time >= begin; });
  const auto behind = std::find_if(first, readings_.end(),
                                   [&](const Reading& reading) { return reading.time > end; });
  if (first == behind) return std::nullopt;
  const Reading& last = *std::prev(behind);
  const double seconds = last.time - first->time;
  if (seconds < shortest_span) return std::nullopt;
  return (last.joules - first->joules) / seconds;
}

}  // namespace trainmark
