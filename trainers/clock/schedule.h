#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "base/generator.h"
#include "common/options.h"

namespace trainmark::clock {

/// How long the steps of a run are. All factors multiply; the defaults change nothing.
struct Shape {
  double step_ms = 0;  // 0: as the size says
  double noise = 0;    // relative standard deviation of a step's time
  std::int64_t warmup_steps = 0;
  double warmup_factor = 1;  // the first step is this much longer; falls evenly to 1
  double run_spread = 0;     // standard deviation of the logarithm of the whole run's factor
  double drift = 0;          // relative change of the time per 1000 steps
  std::int64_t throttle_after = -1;
  double throttle_factor = 1;  // steps after `throttle_after` are this much longer
  double slowdown = 0;         // percent longer, as a regression would be
  bool items_vary = false;
  std::int64_t slow_rank = -1;  // a rank whose slowdown is greater
  double slow_by = 0;           // percent
  double communication = 0;     // shares of a step's time, only told
  double exposed = 0;
};

void add_shape_options(CLI::App& app, Shape& shape);

/// The known truth: how long each step takes and how many items it has, from the seed alone.
class Schedule {
 public:
  Schedule(const Shape& shape, const train::Options& options);

  std::int64_t duration_ns(std::int64_t step) const;
  std::int64_t items(std::int64_t step) const;

  /// What a perfect bench would find: the steady throughput with all chance, drift and throttling
  /// taken out, and the throughput the scheduled steps behind the warm-up really add up to.
  nlohmann::json truth(std::int64_t steps) const;

 private:
  double steady_ns() const;  // the mean step behind the warm-up
  double warmup(std::int64_t step) const;

  Shape shape_;
  double nominal_ns_;  // before chance has touched it
  double run_factor_;
  std::int64_t batch_;  // items per step, on average
  Generator noise_;
  Generator items_;
};

}  // namespace trainmark::clock
