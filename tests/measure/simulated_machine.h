#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "measure/simulated_trainer.h"

namespace trainmark {

/// How the speed of a machine changes while everything on it goes on.
struct MachineMood {
  double drift = 0;           // amplitude of a slow wave, as a share
  double drift_seconds = 60;  // of one wave
  double bursts = 0;          // of a neighbour, a second
  double burst_seconds = 2;   // they last, on average
  double burst_factor = 1.5;  // so many times as long everything takes meanwhile
};

/// A machine on which work takes a time that depends on when it is done.
class SimulatedMachine {
 public:
  SimulatedMachine(const MachineMood& mood, double seconds, Noise& noise) {
    const auto cells = static_cast<std::size_t>(seconds / grid);
    std::vector<double> slowness(cells);
    const double phase = 2 * std::numbers::pi * noise.uniform();
    for (std::size_t i = 0; i < cells; ++i) {
      const double angle =
          2 * std::numbers::pi * grid * static_cast<double>(i) / mood.drift_seconds + phase;
      slowness[i] = mood.drift * std::sin(angle);
    }
    for (double at = gap(mood, noise); at < seconds; at += gap(mood, noise)) {
      const double end = at - mood.burst_seconds * std::log(noise.uniform());
      const auto last = std::min(cells, static_cast<std::size_t>(end / grid));
      for (auto i = static_cast<std::size_t>(at / grid); i < last; ++i)
        slowness[i] += std::log(mood.burst_factor);
    }
    work_.push_back(0);
    for (const double value : slowness) work_.push_back(work_.back() + grid * std::exp(-value));
  }

  /// When work that begins at `now`, and takes `seconds` at the machine's own speed, is done.
  double done(double now, double seconds) const {
    const double place = now / grid;
    const auto before = std::min(static_cast<std::size_t>(place), work_.size() - 2);
    const double share = place - static_cast<double>(before);
    const double target = work_[before] + share * (work_[before + 1] - work_[before]) + seconds;
    const auto after = std::upper_bound(work_.begin() + 1, work_.end() - 1, target);
    const auto cell = static_cast<std::size_t>(after - work_.begin()) - 1;
    return grid *
           (static_cast<double>(cell) + (target - work_[cell]) / (work_[cell + 1] - work_[cell]));
  }

 private:
  static constexpr double grid = 0.05;  // seconds

  static double gap(const MachineMood& mood, Noise& noise) {
    return mood.bursts > 0 ? -std::log(noise.uniform()) / mood.bursts : 1e9;
  }

  std::vector<double> work_;  // done since the beginning, at each point of the grid
};

}  // namespace trainmark
