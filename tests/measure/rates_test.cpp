#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "measure/comparison.h"
#include "measure/result.h"
#include "measure/simulated_trainer.h"

// Prints the tables of docs/measuring.md. Minutes of computing, so they run on demand only:
//   trainmark_tests --gtest_also_run_disabled_tests --gtest_filter='Rates*'
// accuracy_long_test.cpp asserts the same promises with fewer trials.

namespace trainmark {
namespace {

constexpr int trials = 1000;

void print_coverage(const char* name, const SimulatedTrainer& trainer, int rounds) {
  int figures = 0;  // a run that is still unsteady at the cap has none
  int covered = 0;
  double steps = 0;
  double half_width = 0;
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    const auto runs = measure_runs(trainer, "adaptive", {}, rounds, 50000 + seed);
    steps += static_cast<double>(runs[0].steps) / trials;
    const CellThroughput result = combine_runs(runs);
    if (!(result.value > 0)) continue;
    ++figures;
    covered += result.interval.contains(trainer.true_throughput());
    half_width += std::log(result.interval.high / result.value);
  }
  fmt::print("{:<34} {} run(s): covers {:.1f} %, ±{:.2f} %, {:.0f} steps a run\n", name, rounds,
             100.0 * covered / figures, 100 * half_width / figures, steps);
}

TEST(Rates, DISABLED_Coverage) {
  print_coverage("1 % noise", {.noise = 0.01}, 1);
  print_coverage("2 % noise", {}, 1);
  print_coverage("5 % noise", {.noise = 0.05}, 1);
  for (const double correlation : {0.3, 0.5, 0.8, 0.9, 0.95}) {
    print_coverage(fmt::format("2 %, correlation {}", correlation).c_str(),
                   {.correlation = correlation}, 1);
  }
  print_coverage("2 %, no spread", {}, 3);
  print_coverage("2 %, 0.3 % between runs", {.run_spread = 0.003}, 3);
  print_coverage("2 %, 1 % between runs", {.run_spread = 0.01}, 3);
  print_coverage("correlation 0.5, 0.3 %", {.correlation = 0.5, .run_spread = 0.003}, 3);
  print_coverage("correlation 0.8, 0.3 %", {.correlation = 0.8, .run_spread = 0.003}, 3);
}

void print_answers(double slow_down, int rounds, double correlation = 0) {
  const SimulatedTrainer base{.correlation = correlation, .run_spread = 0.003};
  SimulatedTrainer next = base;
  next.seconds *= 1 + slow_down;
  std::map<Answer, int> counts;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const auto base_runs = measure_runs(base, "adaptive", {}, rounds, 200000 + 2 * trial);
    const auto next_runs = measure_runs(next, "adaptive", {}, rounds, 200001 + 2 * trial);
    ++counts[compare_runs(base_runs, next_runs).answer];
  }
  fmt::print("{:+.1f} %, {} rounds, correlation {}:", 100 * slow_down, rounds, correlation);
  for (const Answer answer : {Answer::slower, Answer::faster, Answer::same, Answer::unclear}) {
    fmt::print(" {} {:.1f} %", text(answer), 100.0 * counts[answer] / trials);
  }
  fmt::print("\n");
}

TEST(Rates, DISABLED_Answers) {
  for (const double slow_down : {-0.02, 0.0, 0.005, 0.01, 0.015, 0.02, 0.05}) {
    print_answers(slow_down, 3);
  }
  print_answers(0.02, 3, 0.5);
  for (const double slow_down : {0.0, 0.01, 0.02}) print_answers(slow_down, 5);
  print_answers(0.02, 2);
}

/// How often the 95 % interval of a difference of means covers it, by three methods.
void print_methods(std::size_t base_runs, std::size_t next_runs, double base_spread,
                   double next_spread) {
  Noise noise(5);
  int pooled = 0;
  int welch = 0;
  int bootstrap = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> base(base_runs);
    std::vector<double> next(next_runs);
    for (double& run : base) run = base_spread * noise.normal();
    for (double& run : next) run = next_spread * noise.normal();
    const double difference = std::abs(mean(next) - mean(base));
    const auto n = static_cast<double>(base_runs);
    const auto m = static_cast<double>(next_runs);
    const double v = std::pow(standard_deviation(base), 2);
    const double w = std::pow(standard_deviation(next), 2);
    const double common = ((n - 1) * v + (m - 1) * w) / (n + m - 2) * (1 / n + 1 / m);
    pooled += difference < student_t_quantile(0.975, n + m - 2) * std::sqrt(common);
    const double own = v / n + w / m;
    const double degrees = own * own / (v * v / (n * n * (n - 1)) + w * w / (m * m * (m - 1)));
    welch += difference < student_t_quantile(0.975, degrees) * std::sqrt(own);
    std::vector<double> resampled(1000, 0.0);
    const auto any_of = [&](const std::vector<double>& runs) {
      return runs[static_cast<std::size_t>(noise.uniform() * static_cast<double>(runs.size()))];
    };
    for (double& sample : resampled) {
      for (std::size_t i = 0; i < base_runs; ++i) sample -= any_of(base) / n;
      for (std::size_t i = 0; i < next_runs; ++i) sample += any_of(next) / m;
    }
    bootstrap += quantile(resampled, 0.025) <= 0 && 0 <= quantile(resampled, 0.975);
  }
  fmt::print(
      "{} and {} runs, spread {} and {} %: pooled {:.1f} %, Welch {:.1f} %, bootstrap {:.1f} %\n",
      base_runs, next_runs, base_spread, next_spread, 100.0 * pooled / trials,
      100.0 * welch / trials, 100.0 * bootstrap / trials);
}

TEST(Rates, DISABLED_Methods) {
  print_methods(3, 3, 0.4, 0.4);
  print_methods(3, 3, 0.2, 1);
  print_methods(5, 5, 0.4, 0.4);
  print_methods(10, 3, 0.2, 1);
}

}  // namespace
}  // namespace trainmark
