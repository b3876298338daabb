#include "measure/steady_state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "measure/simulated_trainer.h"

namespace trainmark {
namespace {

SteadyState state_of(const SimulatedTrainer& trainer, std::size_t steps, std::uint64_t seed = 1) {
  SimulatedRun run(trainer, seed);
  return find_steady_state(run.run_to(steps));
}

TEST(SteadyState, KeepsASteadyRunWhole) {
  for (const double noise : {0.0, 0.02, 0.05}) {
    int much_cut = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const SteadyState state = state_of({.noise = noise}, 100, seed);
      ASSERT_GT(state.window.size(), 0u);
      EXPECT_EQ(state.window.last, 100u);
      much_cut += state.window.first > 25;
    }
    EXPECT_LE(much_cut, 4) << noise;  // 2 %
  }
}

TEST(SteadyState, CutsAWarmUpOfAnyHeight) {
  for (const double factor : {3.0, 10.0, 42.0}) {
    for (const double fade : {0.5, 3.0, 10.0}) {
      const SimulatedTrainer trainer{.warmup_factor = factor, .warmup_steps = fade};
      const SteadyState state = state_of(trainer, 600);
      ASSERT_GT(state.window.size(), 0u);
      EXPECT_FALSE(state.unsettled);
      const double left = (factor - 1) * std::exp(-static_cast<double>(state.window.first) / fade);
      EXPECT_LT(left, 0.01) << factor << " " << fade;
      EXPECT_LE(state.window.first, 300u);
    }
  }
}

TEST(SteadyState, CutsASlowFirstStepOfAQuietRun) {
  const SteadyState state =
      state_of({.noise = 0.0005, .warmup_factor = 42, .warmup_steps = 0.1}, 1000);
  EXPECT_GE(state.window.first, 1u);
  EXPECT_LE(state.window.first, 10u);
}

TEST(SteadyState, CutsASlowFirstStepOfAShortAndNoisyRun) {
  // The first step compiles. With steps that scatter and wander like these, it is no surprise once
  // it is cut down to the reach of the others.
  for (const std::size_t count : {8u, 12u, 30u, 110u}) {
    for (const double factor : {2.5, 15.0, 500.0}) {
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        SimulatedRun run({.noise = 0.06, .correlation = 0.8}, seed);
        const auto steady = run.run_to(count);
        std::vector<Step> steps(steady.begin(), steady.end());
        const double more = steps[0].seconds * (factor - 1);
        steps[0].seconds += more;
        for (Step& step : steps) step.end += more;
        const Window window = find_steady_state(steps).window;
        EXPECT_TRUE(window.size() == 0 || window.first >= 1)
            << count << " " << factor << " " << seed;
      }
    }
  }
}

TEST(SteadyState, AMachineThatBecomesSlowerStillGivesAFigure) {
  // Steps of 0.5 s that take 0.62 s from the middle on: no warm-up, and nothing to wait for.
  std::vector<Step> steps;
  double end = 0;
  for (int i = 0; i < 80; ++i) {
    const double seconds = (i < 50 ? 0.5 : 0.62) * (1 + 0.03 * std::sin(1.7 * i));
    end += seconds;
    steps.push_back({i, end, seconds, 8});
  }
  const SteadyState state = find_steady_state(steps);
  EXPECT_GE(state.window.size(), 40u);
  EXPECT_TRUE(state.unsettled);
}

TEST(SteadyState, SaysHowManyMoreStepsAreNeeded) {
  const SimulatedTrainer trainer{.noise = 0.01, .warmup_factor = 10, .warmup_steps = 40};
  const SteadyState early = state_of(trainer, 60);
  EXPECT_EQ(early.window.size(), 0u);
  EXPECT_GT(early.more_steps, 30u);
  EXPECT_LT(early.more_steps, 1000u);
  const SteadyState late = state_of(trainer, 2000);
  EXPECT_GT(late.window.size(), 1000u);
}

TEST(SteadyState, FewStepsTellNothing) {
  EXPECT_EQ(find_steady_state({}).window.size(), 0u);
  EXPECT_GT(find_steady_state({}).more_steps, 0u);
  EXPECT_EQ(state_of({}, 3).window.size(), 0u);
  EXPECT_EQ(state_of({}, 3).more_steps, 3u);
  EXPECT_GT(state_of({}, 12).window.size(), 0u);
}

TEST(SteadyState, IsNotMovedByStalls) {
  SimulatedRun run({}, 3);
  std::vector<Step> steps(run.run_to(200).begin(), run.run_to(200).end());
  const auto stall = [&](std::size_t at, double seconds) {
    steps[at].seconds += seconds;
    for (std::size_t i = at; i < steps.size(); ++i) steps[i].end += seconds;
  };
  stall(199, 3);  // the last step is often an outlier
  stall(150, 2);
  stall(90, 2);
  const SteadyState state = find_steady_state(steps);
  EXPECT_LT(state.window.first, 20u);
  EXPECT_EQ(state.window.last, 200u);
}

TEST(SteadyState, CutDoesNotFavourAnyFigure) {
  double bias = 0;
  constexpr int runs = 1000;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    const SimulatedTrainer trainer{.correlation = 0.5};  // where cuts are most frequent
    SimulatedRun run(trainer, seed);
    const auto steps = run.run_to(60);
    const Throughput figure = throughput(steps, find_steady_state(steps).window);
    bias += std::log(figure.value / trainer.true_throughput()) / runs;
  }
  EXPECT_LT(std::abs(bias), 0.0005);  // its own error is 0.0002
}

TEST(SteadyState, CountsTheTimeOfAStepForTheItemsOfAUsualOne) {
  const std::vector<Step> steps = {{0, 1, 1, 8, 0, false}, {1, 3, 2, 16, 0, false}};
  EXPECT_EQ(comparable_seconds(steps), (std::vector<double>{1.5, 1.5}));
}

TEST(SteadyState, ComparesStepsOfVaryingLength) {
  const SteadyState state = state_of({.items_spread = 0.9}, 200);
  EXPECT_LT(state.window.first, 50u);
  EXPECT_GT(state.window.size(), 0u);
}

}  // namespace
}  // namespace trainmark
