#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "measure/plateau.h"
#include "measure/rule.h"
#include "measure/steady_state.h"

// As many steps as the figure needs and no more: after the warm-up, until its interval is narrow.

namespace trainmark {

namespace {

struct Limits {
  double interval;
  std::size_t min_steps;
  double min_seconds;
  std::size_t max_steps;
  double max_seconds;
};

// A step so many times longer than the usual one does other work: it compiles or tunes.
constexpr double set_up_factor = 10;

/// The time that the cap is about: not the first step, and of others no more than a step can take
/// that only trains. What compilers and autotuners spend in the first steps must not eat the time
/// to measure.
double spent_seconds(std::span<const Step> steps) {
  std::vector<double> seconds;
  for (const Step& step : steps.subspan(1)) seconds.push_back(step.seconds);
  if (seconds.empty()) return 0;
  const double most = set_up_factor * median(seconds);
  double sum = 0;
  for (const double value : seconds) sum += std::min(value, most);
  return sum;
}

class Adaptive : public StoppingRule {
 public:
  Adaptive(const Limits& limits, const Plateau& plateau) : limits_(limits), plateau_(plateau) {}

  Decision decide(std::span<const Step> steps) override {
    if (steps.empty()) return {};
    const SteadyState state = find_steady_state(steps);
    if (state.window.size() >= limits_.min_steps && !state.unsettled) {
      const Throughput figure = throughput(steps, state.window);
      const double half_width = std::log(figure.interval.high / figure.value);
      if (figure.seconds >= limits_.min_seconds) {
        if (half_width <= limits_.interval) return stop(state, "interval", true);
        if (plateau(state.window.size(), half_width)) return stop(state, "plateau", true);
      }
    }
    const bool long_enough = spent_seconds(steps) >= limits_.max_seconds;
    if (steps.size() >= limits_.max_steps || (steps.size() >= fewest_steps && long_enough)) {
      return stop(state, "cap", false);
    }
    return {};
  }

  /// The cut of the decision holds: what comes between the decision and the end of the run counts
  /// as well, and cannot make a run unsteady that was found steady.
  Window window(std::span<const Step> steps) const override {
    if (first_ && *first_ < steps.size()) return {*first_, steps.size()};
    return find_steady_state(steps).window;
  }

  std::size_t most_steps() const override { return limits_.max_steps; }

 private:
  bool plateau(std::size_t steps, double half_width) {
    // Short windows do not know their own correlation yet: their interval grows before it shrinks.
    if (steps < 3 * limits_.min_steps) return false;
    plateau_.add(steps, half_width);
    return plateau_.reached();
  }

  Decision stop(const SteadyState& state, const char* why, bool converged) {
    if (state.window.size() > 0) first_ = state.window.first;
    return {.stop = true, .why = why, .converged = converged};
  }

  Limits limits_;
  Plateau plateau_;
  std::optional<std::size_t> first_;  // of the window, once decided
};

std::unique_ptr<StoppingRule> make_adaptive(const RuleValues& values) {
  const auto count = [&](const char* name) { return static_cast<std::size_t>(values.at(name)); };
  const Limits limits{.interval = values.at("interval"),
                      .min_steps = count("min_steps"),
                      .min_seconds = values.at("min_seconds"),
                      .max_steps = count("max_steps"),
                      .max_seconds = values.at("max_seconds")};
  return std::make_unique<Adaptive>(
      limits, Plateau(count("plateau_evaluations"), values.at("plateau_shrink")));
}

const Registration<RuleKind> registered(
    "adaptive",
    {.summary = "as many steps as needed for a narrow 95 % interval",
     .rounds = 3,
     .parameters = {{"interval", 0.005, 0.0001, 0.5,
                     "half-width of the 95 % interval, as a fraction of the figure"},
                    {"min_steps", 30, 6, 1e6, "minimum number of steps after the warm-up"},
                    {"min_seconds", 3, 0, 86400, "minimum seconds after the warm-up"},
                    {"max_steps", 20000, 6, 1e7, "maximum number of steps"},
                    {"max_seconds", 120, 0.001, 604800,
                     "maximum seconds of all steps except the first"},
                    {"plateau_evaluations", 100, 8, 10000,
                     "number of evaluations, each at 2 % more steps, to compare"},
                    {"plateau_shrink", 0.05, 0, 0.4,
                     "an interval that shrank by less than this fraction of "
                     "itself over those evaluations has stopped shrinking"}},
     .make = make_adaptive});

}  // namespace

}  // namespace trainmark
