#include "clock/schedule.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/error.h"
#include "base/option_checks.h"

namespace trainmark::clock {
namespace {

/// Number `index` of a standard normal sequence (Box and Muller).
double normal(const Generator& generator, std::int64_t index) {
  const auto first = static_cast<std::uint64_t>(index) * 2;
  const double u = 1.0 - generator.uniform(first);  // in (0, 1]: its logarithm exists
  const double v = generator.uniform(first + 1);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

double size_ms(const std::string& size) {
  if (size == "full") return 10;
  return size == "small" ? 5 : 1;
}

}  // namespace

void add_shape_options(CLI::App& app, Shape& shape) {
  const auto positive = number_from(1e-3, 1e6);
  const auto share = number_from(0.0, 1.0);
  app.add_option("--step-ms", shape.step_ms, "Time per step; full 10, small 5, tiny 1")
      ->check(positive);
  app.add_option("--noise", shape.noise, "Relative standard deviation of a step")->check(share);
  app.add_option("--warmup-steps", shape.warmup_steps, "Steps that are slower at the start")
      ->check(whole_from(0, INT64_MAX));
  app.add_option("--warmup-factor", shape.warmup_factor, "How much longer the first step is")
      ->check(positive);
  app.add_option("--run-spread", shape.run_spread, "Relative spread between runs (seeds)")
      ->check(share);
  app.add_option("--drift", shape.drift, "Relative change of the time per 1000 steps")
      ->check(number_from(-1.0, 10.0));
  app.add_option("--throttle-after", shape.throttle_after, "The last step at full speed")
      ->check(whole_from(0, INT64_MAX));
  app.add_option("--throttle-factor", shape.throttle_factor, "How much longer steps are then")
      ->check(positive);
  app.add_option("--slowdown", shape.slowdown, "Percent by which all steps are longer")
      ->check(number_from(-90.0, 1e6));
  app.add_option("--slow-rank", shape.slow_rank, "A rank of the job that is slower than the others")
      ->check(whole_from(0, INT64_MAX));
  app.add_option("--slow-by", shape.slow_by, "... by this many percent")
      ->check(number_from(0.0, 1e6));
  app.add_option("--communication", shape.communication,
                 "Fraction of a step to report as time of collectives")
      ->check(share);
  app.add_option("--exposed", shape.exposed, "Fraction of a step to report as waiting for them")
      ->check(share);
  app.add_flag("--items-vary", shape.items_vary,
               "Vary the items per step by half a batch; half of the time varies with them");
}

Schedule::Schedule(const Shape& shape, const train::Options& options)
    : shape_(shape),
      batch_(options.batch * options.accumulate),
      noise_(options.seed, "clock.noise"),
      items_(options.seed, "clock.items") {
  if (shape_.items_vary && batch_ < 2) {
    throw UserError("--items-vary: one item per step cannot vary; write --batch 2 or more");
  }
  const double ms = shape_.step_ms > 0 ? shape_.step_ms : size_ms(options.size);
  nominal_ns_ = ms * 1e6 * (1 + shape_.slowdown / 100) * static_cast<double>(options.accumulate);
  // The logarithm is normal, so that the median run is the nominal one in time and in speed.
  run_factor_ = std::exp(shape_.run_spread * normal(Generator(options.seed, "clock.run"), 0));
}

double Schedule::steady_ns() const {
  return nominal_ns_ * run_factor_;
}

double Schedule::warmup(std::int64_t step) const {
  if (step >= shape_.warmup_steps) return 1;
  const double left = 1 - static_cast<double>(step) / static_cast<double>(shape_.warmup_steps);
  return 1 + (shape_.warmup_factor - 1) * left;
}

std::int64_t Schedule::items(std::int64_t step) const {
  if (!shape_.items_vary) return batch_;
  const std::int64_t half = batch_ / 2;
  return batch_ - half + items_.integer(static_cast<std::uint64_t>(step), 2 * half + 1);
}

std::int64_t Schedule::duration_ns(std::int64_t step) const {
  const double drift = 1 + shape_.drift * static_cast<double>(step) / 1000;
  const bool throttled = shape_.throttle_after >= 0 && step > shape_.throttle_after;
  // Half of the time is the step's own: then a mean of ratios is not the ratio of the sums.
  const double load = 0.5 + 0.5 * static_cast<double>(items(step)) / static_cast<double>(batch_);
  const double noise = 1 + shape_.noise * normal(noise_, step);
  const double factor = warmup(step) * drift * (throttled ? shape_.throttle_factor : 1) * load *
                        std::max(noise, 0.05);  // no step ends before it began
  return std::llround(steady_ns() * std::max(factor, 1e-3));
}

nlohmann::json Schedule::truth(std::int64_t steps) const {
  const auto batch = static_cast<double>(batch_);
  nlohmann::json result = {{"items_per_second", batch / steady_ns() * 1e9},
                           {"items_per_second_median_run", batch / nominal_ns_ * 1e9},
                           {"step_seconds", steady_ns() * 1e-9},
                           {"run_factor", run_factor_},
                           {"first_steady_step", shape_.warmup_steps}};
  std::int64_t scheduled_items = 0;
  std::int64_t scheduled_ns = 0;
  for (std::int64_t step = shape_.warmup_steps; step < steps; ++step) {
    scheduled_items += items(step);
    scheduled_ns += duration_ns(step);
  }
  if (scheduled_ns > 0) {
    result["scheduled"] = {{"steps", steps - shape_.warmup_steps},
                           {"items", scheduled_items},
                           {"seconds", static_cast<double>(scheduled_ns) * 1e-9},
                           {"items_per_second", static_cast<double>(scheduled_items) /
                                                    static_cast<double>(scheduled_ns) * 1e9}};
  }
  return result;
}

}  // namespace trainmark::clock
