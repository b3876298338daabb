#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include "base/step.h"
#include "measure/rule.h"
#include "measure/run_summary.h"

namespace trainmark {

/// A trainer whose truth is known. Steps take `seconds` on average once warm; everything that makes
/// real steps hard to measure can be added. All shares are of the step time.
struct SimulatedTrainer {
  double seconds = 0.1;
  double items = 32;
  double noise = 0.02;        // standard deviation of a step
  double correlation = 0;     // of a step's noise with the next one's (AR(1))
  double run_spread = 0;      // standard deviation between runs
  double warmup_factor = 1;   // the first step takes so many times its time …
  double warmup_steps = 1;    // … and the surplus falls to 1/e in so many steps
  double drift = 0;           // change a step
  double outlier_share = 0;   // of steps that stall
  double outlier_factor = 5;  // so many times their time
  double gap = 0;             // after each step, outside of it
  double items_spread = 0;    // steps of varying length: items are uniform within ± this share

  double true_throughput() const {
    return items / (seconds * (1 + outlier_share * (outlier_factor - 1) + gap));
  }
};

/// Normal numbers of our own making: the same on every standard library.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : engine_(seed) {}

  double uniform() {  // in (0, 1)
    return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53;
  }

  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

/// One run: steps come on demand, as from a real trainer.
class SimulatedRun {
 public:
  SimulatedRun(const SimulatedTrainer& trainer, std::uint64_t seed)
      : trainer_(trainer), noise_(seed), level_(1 + trainer.run_spread * noise_.normal()) {
    wander_ = noise_.normal();
  }

  std::span<const Step> steps() const { return steps_; }

  std::span<const Step> run_to(std::size_t count) {
    while (steps_.size() < count) add();
    return steps_;
  }

 private:
  void add() {
    const auto index = static_cast<double>(steps_.size());
    Step step;
    step.index = static_cast<std::int64_t>(steps_.size());
    const double length = 1 + trainer_.items_spread * (2 * noise_.uniform() - 1);
    step.items = trainer_.items * length;
    double factor = level_ + trainer_.noise * wander_ + trainer_.drift * index;
    factor += (trainer_.warmup_factor - 1) * std::exp(-index / trainer_.warmup_steps);
    if (trainer_.outlier_share > 0 && noise_.uniform() < trainer_.outlier_share) {
      factor *= trainer_.outlier_factor;
    }
    step.seconds = trainer_.seconds * length * factor;
    now_ += step.seconds;
    step.end = now_;
    now_ += trainer_.gap * trainer_.seconds;
    step.has_loss = true;
    step.loss = 5 / (1 + 0.01 * index);
    steps_.push_back(step);
    wander_ = trainer_.correlation * wander_ +
              std::sqrt(1 - trainer_.correlation * trainer_.correlation) * noise_.normal();
  }

  SimulatedTrainer trainer_;
  Noise noise_;
  double level_;
  double wander_ = 0;
  double now_ = 1000;  // a monotonic clock starts anywhere
  std::vector<Step> steps_;
};

inline std::unique_ptr<StoppingRule> make_rule(const char* name, const RuleValues& values = {}) {
  const RuleKind& kind = *Registry<RuleKind>::find(name);
  return kind.make(complete(kind, values));
}

/// Runs until the rule stops it, asking at about 2 % more steps as the bench does.
inline RunSummary measure_run(SimulatedRun& run, StoppingRule& rule) {
  Decision decision;
  std::size_t count = 1;
  while (!decision.stop) {
    decision = rule.decide(run.run_to(count));
    count += 1 + count / 50;
  }
  return summarize_run(run.steps(), rule, decision);
}

inline std::vector<RunSummary> measure_runs(const SimulatedTrainer& trainer, const char* rule,
                                            const RuleValues& values, int rounds,
                                            std::uint64_t seed) {
  std::vector<RunSummary> runs;
  for (int round = 0; round < rounds; ++round) {
    SimulatedRun run(trainer, seed * 1000 + static_cast<std::uint64_t>(round));
    const auto fresh = make_rule(rule, values);
    runs.push_back(measure_run(run, *fresh));
  }
  return runs;
}

}  // namespace trainmark
