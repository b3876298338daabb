#include "measure/turns.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "bench/run_order.h"
#include "measure/comparison.h"
#include "measure/simulated_machine.h"

namespace trainmark {
namespace {

constexpr double longest_session = 3000;  // seconds

struct Contest {
  std::vector<double> seconds = {0.2, 0.2};  // a step of each member, on the machine at its best
  double noise = 0.03;                       // of a step
  double cold = 0.02;                        // seconds that the first step of a turn takes longer
  RuleValues values = {};
};

struct Contested {
  std::vector<TurnBlock> blocks;
  Decision decision;
  double seconds = 0;  // of all turns of all members
};

/// Plays turns as the bench does: the first step of a turn does not count.
Contested play(const Contest& contest, const MachineMood& mood, std::uint64_t seed) {
  Noise noise(seed);
  const SimulatedMachine machine(mood, longest_session, noise);
  const RuleKind& kind = *Registry<RuleKind>::find("turns");
  const TurnLimits limits(complete(kind, contest.values));
  const std::size_t members = contest.seconds.size();
  std::vector<double> spent(members);
  Contested result;
  double now = 0;
  const auto turn = [&](std::size_t member, double least_seconds, std::size_t least_steps) {
    const double begin = now;
    now = machine.done(now, contest.seconds[member] + contest.cold);
    const double first = now;
    std::size_t steps = 0;
    while (now - begin < least_seconds || steps < least_steps) {
      now = machine.done(now, contest.seconds[member] * std::exp(contest.noise * noise.normal()));
      ++steps;
    }
    spent[member] += now - begin;
    return (now - first) / static_cast<double>(steps);
  };
  for (int number = 1; !result.decision.stop; ++number) {
    TurnBlock block(members);
    for (const Turn& next : turns_of_block(members, seed, number))
      block[next.member] += 0.5 * next.share *
                            turn(next.member, next.share * limits.turn_seconds,
                                 static_cast<std::size_t>(next.share) * limits.turn_steps);
    result.blocks.push_back(block);
    result.decision =
        decide_turns(limits, result.blocks, *std::max_element(spent.begin(), spent.end()));
  }
  result.seconds = now;
  return result;
}

struct Rates {
  double covered = 0, slower = 0, faster = 0, seconds = 0, half_width = 0;
};

/// What `count` contests of two say of the second one, which takes `factor` times as long a step.
Rates rates_of(Contest contest, const MachineMood& mood, double factor, int count) {
  contest.seconds[1] = factor * contest.seconds[0];
  Rates rates;
  for (int trial = 1; trial <= count; ++trial) {
    const Contested result = play(contest, mood, static_cast<std::uint64_t>(trial));
    const PairedRatio ratio = paired_ratio(result.blocks, 1, 0);
    const Comparison answer = compare_pair(ratio);
    rates.covered += ratio.interval.contains(1 / factor);
    rates.slower += answer.answer == Answer::slower;
    rates.faster += answer.answer == Answer::faster;
    rates.seconds += result.seconds;
    rates.half_width += ratio.half_width;
  }
  for (double* value :
       {&rates.covered, &rates.slower, &rates.faster, &rates.seconds, &rates.half_width})
    *value /= count;
  return rates;
}

const std::map<std::string, MachineMood> moods = {
    {"quiet", {}},
    {"drift", {.drift = 0.3, .drift_seconds = 180}},
    {"fast_drift", {.drift = 0.3, .drift_seconds = 60}},
    {"bursts", {.drift = 0.1, .drift_seconds = 200, .bursts = 0.05, .burst_seconds = 5}},
    {"drift_and_bursts", {.drift = 0.3, .drift_seconds = 180, .bursts = 0.1}},
};

/// Steps that are longer than the least turn, and the time that they need.
Contest long_steps(double seconds) {
  Contest contest;
  contest.seconds = {seconds, seconds};
  contest.values = {{"max_seconds", 600}};
  return contest;
}

class TurnsOn : public testing::TestWithParam<std::pair<const std::string, MachineMood>> {};

TEST_P(TurnsOn, Cover) {
  const Rates rates = rates_of({}, GetParam().second, 1.07, 200);
  EXPECT_GE(rates.covered, 0.93);
  EXPECT_LT(rates.half_width, 0.02);
}

TEST_P(TurnsOn, RaiseNoAlarmWhereBothAreTheSame) {
  const Rates rates = rates_of({}, GetParam().second, 1, 200);
  EXPECT_LE(rates.slower + rates.faster, 0.01);
}

INSTANTIATE_TEST_SUITE_P(AMachineThat, TurnsOn, testing::ValuesIn(moods),
                         [](const auto& test) { return test.param.first; });

TEST(Turns, CoverWhereAStepIsLongerThanATurn) {
  const Rates rates = rates_of(long_steps(5), moods.at("drift"), 1.07, 200);
  EXPECT_GE(rates.covered, 0.93);
}

TEST(Turns, FindASlowDownOfTwoPercentOnADriftingMachine) {
  EXPECT_GE(rates_of({}, moods.at("drift"), 1.02, 200).slower, 0.95);
}

// Few blocks fit into the cap: their spread is known badly, and what lies far off is no difference.
TEST(Turns, RaiseNoAlarmFromAFewLongSteps) {
  Contest contest;
  contest.seconds = {5, 5};
  const Rates rates = rates_of(contest, moods.at("drift"), 1, 400);
  EXPECT_LE(rates.slower + rates.faster, 0.01);
}

TEST(Turns, TellAllPairsOfFive) {
  Contest contest;
  contest.seconds = {0.2, 0.22, 0.3, 0.15, 0.21};
  const Contested result = play(contest, moods.at("drift"), 7);
  for (std::size_t member = 0; member < 5; ++member)
    for (std::size_t base = 0; base < member; ++base) {
      const PairedRatio ratio = paired_ratio(result.blocks, member, base);
      const double truth = contest.seconds[base] / contest.seconds[member];
      EXPECT_NEAR(ratio.ratio, truth, 0.02 * truth) << member << " " << base;
      EXPECT_LE(ratio.half_width, 0.01);
    }
}

/// The tables of docs/measuring.md.
TEST(Rates, DISABLED_Turns) {
  constexpr int contests = 1000;
  fmt::print("| machine | step | time | interval | covers | A/A alarms | 2 % found |\n");
  for (const auto& [name, mood] : moods)
    for (const double step : {0.02, 0.2, 1.0, 5.0}) {
      Contest contest = step < 1 ? Contest() : long_steps(step);
      contest.seconds = {step, step};
      const Rates same = rates_of(contest, mood, 1, contests);
      const Rates slower = rates_of(contest, mood, 1.02, contests);
      fmt::print("| {} | {} s | {:.0f} s | ±{:.2f} % | {:.1f} % | {:.1f} % | {:.1f} % |\n", name,
                 step, slower.seconds, 100 * slower.half_width, 100 * slower.covered,
                 100 * (same.slower + same.faster), 100 * slower.slower);
    }
}

TEST(TurnsOfABlock, GoThereAndBackAgain) {
  const auto turns = turns_of_block(3, 1, 1);
  ASSERT_EQ(turns.size(), 5U);
  EXPECT_EQ(turns[2].share, 2);  // the last one there is the first one back
  EXPECT_EQ(turns[0].member, turns[4].member);
  EXPECT_EQ(turns[1].member, turns[3].member);
  std::vector<int> shares(3);
  for (const Turn& turn : turns) shares[turn.member] += turn.share;
  EXPECT_EQ(shares, std::vector<int>({2, 2, 2}));
}

TEST(TurnsOfABlock, BeginWithEveryoneInTime) {
  std::vector<int> begins(3);
  for (int block = 1; block <= 300; ++block) ++begins[turns_of_block(3, 1, block)[0].member];
  for (const int count : begins) EXPECT_NEAR(count, 100, 40);
}

TEST(PairedRatio, LeavesOutWhatHitsOneTurnOnly) {
  std::vector<TurnBlock> blocks(10, TurnBlock{2, 1});
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i][1] += 0.001 * static_cast<double>(i);
  const double before = paired_ratio(blocks, 1, 0).ratio;
  blocks[3][1] = 9;
  const PairedRatio ratio = paired_ratio(blocks, 1, 0);
  EXPECT_NEAR(ratio.ratio, before, 0.01);
  EXPECT_NEAR(ratio.ratio, 2, 0.02);
  EXPECT_LT(ratio.whole_ratio, 1.2);  // this one counts it
  EXPECT_LT(ratio.interval.low, ratio.ratio);
  EXPECT_GT(ratio.interval.high, ratio.ratio);
}

TEST(PairedRatio, CountsTheBlocksThatHaveBoth) {
  const double nothing = std::nan("");
  const std::vector<TurnBlock> blocks = {{2, 1}, {2, nothing}, {2, 1}};
  EXPECT_EQ(paired_ratio(blocks, 1, 0).blocks, 2U);
  EXPECT_EQ(paired_ratio(std::span(blocks).subspan(1, 1), 1, 0).ratio, 0);
}

// Twelve blocks that scatter, and four that happen to lie in their middle: the interval is narrow
// at last, but was not before.
TEST(DecideTurns, DoesNotTrustAnIntervalThatBecameNarrowJustNow) {
  const RuleKind& kind = *Registry<RuleKind>::find("turns");
  const TurnLimits limits(complete(kind, {{"interval", 0.01}, {"min_blocks", 4}}));
  int lucky = 0;
  for (double scatter = 0.001; scatter < 0.1; scatter += 0.001) {
    std::vector<TurnBlock> blocks;
    for (int i = 0; i < 12; ++i) blocks.push_back({1, i % 2 == 0 ? 1 + scatter : 1 - scatter});
    for (int i = 0; i < 4; ++i) blocks.push_back({1, 1});
    const bool narrow_before =
        paired_ratio(std::span(blocks).first(12), 1, 0).half_width <= limits.interval;
    if (narrow_before || paired_ratio(blocks, 1, 0).half_width > limits.interval) continue;
    ++lucky;
    EXPECT_FALSE(decide_turns(limits, blocks, 1).stop) << scatter;
  }
  EXPECT_GT(lucky, 0);
}

TEST(TurnsRule, CountsWhatComesAfterTheWarmUp) {
  const std::vector<Step> steps(10);
  TurnsRule rule(100);
  EXPECT_EQ(rule.window(steps).size(), 0U);
  rule.begin(4);
  EXPECT_EQ(rule.window(steps).first, 4U);
  EXPECT_EQ(rule.window(steps).size(), 6U);
  EXPECT_FALSE(rule.decide(steps).stop);
  rule.stop({.stop = true, .why = "interval", .converged = true});
  EXPECT_TRUE(rule.decide(steps).stop);
}

}  // namespace
}  // namespace trainmark
