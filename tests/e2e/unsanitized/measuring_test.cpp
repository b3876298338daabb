// The bench against the truth: `clock` takes a known time per step.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

/// Measures a suite of the clock and gives what the journal holds.
JournalContents measure(const TemporaryFolder& folder, const std::string& suite,
                        const std::string& name = "results",
                        const std::vector<std::string>& more = {}) {
  write_text(folder / "s.yaml", suite);
  std::vector<std::string> arguments = {"run", (folder / "s.yaml").string(), "--out",
                                        (folder / name).string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = trainmark(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  return read_journal(folder / name);
}

TEST(Measuring, FindsTheTruthWithinATenthOfAPercent) {
  const TemporaryFolder folder;
  // The clock keeps a schedule of absolute times, so that the truth holds on a busy machine, too.
  const JournalContents contents =
      measure(folder, clock_suite("interval: 0.1%, max_seconds: 20",
                                  {"--step-ms", "2", "--noise", "0.02", "--warmup-steps", "100",
                                   "--warmup-factor", "6"},
                                  3));
  const auto results = results_of(contents);
  ASSERT_EQ(results.size(), 1U);
  ASSERT_EQ(results[0].runs.size(), 3U);
  EXPECT_NEAR(results[0].throughput.value, 500, 0.5);
  EXPECT_EQ(results[0].unit, "steps");
}

TEST(Measuring, DoesTheFixedRuleOfDlperf) {
  const TemporaryFolder folder;
  const JournalContents contents =
      measure(folder,
              "matrix: {workload: clock, framework: clock, size: tiny}\n"
              "measure: {rule: fixed}\n"
              "frameworks: {clock: {arguments: [--step-ms, 1]}}\n");
  ASSERT_EQ(contents.runs.size(), 5U);
  for (const auto& run : contents.runs) {
    EXPECT_EQ(run.summary.steps, 150U);
    EXPECT_EQ(run.summary.warmup, 50U);
    EXPECT_EQ(run.summary.used, 100U);
  }
}

TEST(Measuring, InterleavesTheCellsInAShuffledOrder) {
  const TemporaryFolder folder;
  const JournalContents contents =
      measure(folder,
              "matrix: {workload: clock, framework: clock, size: tiny, batch: [1,2,3,4]}\n"
              "measure: {rule: fixed, steps: 20, skip: 2}\nrounds: 3\n"
              "frameworks: {clock: {arguments: [--step-ms, 1]}}\n");
  ASSERT_EQ(contents.runs.size(), 12U);
  std::set<std::vector<int>> orders;
  for (std::size_t round = 0; round < 3; ++round) {
    std::vector<int> order;
    for (std::size_t i = 0; i < 4; ++i) {
      const RunRecord& run = contents.runs[4 * round + i];
      EXPECT_EQ(run.round, static_cast<int>(round) + 1);
      order.push_back(run.cell.batch);
    }
    EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 4U);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 1U) << "every round had the same order";
}

TEST(Measuring, KeepsAllThatIsNeededToRepeatIt) {
  const TemporaryFolder folder;
  const JournalContents contents =
      measure(folder, clock_suite("rule: fixed, steps: 30, skip: 3", {"--step-ms", "1"}), "results",
              {"--seed", "42"});
  ASSERT_EQ(contents.runs.size(), 1U);
  const RunRecord& run = contents.runs[0];
  EXPECT_EQ(run.seed, 42U);
  EXPECT_NE(run.command.at(0).find("trainmark-clock"), std::string::npos);
  EXPECT_TRUE(contents.environments.contains(run.environment));
  EXPECT_EQ(run.variables.at("WORLD_SIZE"), "1");
  EXPECT_EQ(contents.suites.at(0).overrides, std::vector<std::string>{"--seed 42"});
  EXPECT_EQ(run.trainer.at("batch"), 1);
  // Every step is there, as the trainer told it.
  std::ifstream events(folder / "results" / run.folder / "events.jsonl");
  std::size_t steps = 0;
  for (std::string line; std::getline(events, line);) {
    steps += nlohmann::json::parse(line).at("event") == "step" ? 1 : 0;
  }
  EXPECT_EQ(steps, 30U);
}

TEST(Compare, SeesASlowDownOfFivePercentAndTripsTheGate) {
  const TemporaryFolder folder;
  const auto suite = [](const std::string& slowdown) {
    return clock_suite(
        "interval: 0.3%, max_seconds: 5",
        {"--step-ms", "1", "--noise", "0.02", "--run-spread", "0.003", "--slowdown", slowdown}, 3);
  };
  measure(folder, suite("0"), "base");
  measure(folder, suite("0"), "again", {"--seed", "100"});
  measure(folder, suite("5"), "slow", {"--seed", "200"});
  const auto compare = [&](const std::string& next, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"compare", (folder / "base").string(),
                                          (folder / next).string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return trainmark(arguments);
  };
  const Outcome slow = compare("slow", {"--fail-on-slower", "2"});
  EXPECT_EQ(slow.code, 1) << slow.output;
  EXPECT_NE(slow.output.find("slower"), std::string::npos) << slow.output;
  EXPECT_EQ(compare("slow").code, 0) << "without a gate a comparison only tells";
  EXPECT_EQ(compare("slow", {"--fail-on-slower", "20"}).code, 0);
  const Outcome again = compare("again", {"--fail-on-slower", "0"});
  EXPECT_EQ(again.code, 0) << again.output;
  const auto json = nlohmann::json::parse(compare("slow", {"--format", "json"}).output);
  EXPECT_FALSE(json.empty());
}

TEST(Cost, OfTheBenchIsSmallWithStepsOfAMillisecond) {
  const TemporaryFolder folder;
  const JournalContents contents = measure(
      folder, clock_suite("rule: fixed, steps: 5000, skip: 10", {"--step-ms", "1", "--sleep"}));
  ASSERT_EQ(contents.runs.size(), 1U);
  const RunRecord& run = contents.runs[0];
  // Processor time as a share of the run's own; it is about 0.01 on a machine of 2021. Instrumented
  // code is many times slower.
  const double share = run.conditions.at("bench_cpu_seconds").get<double>() / run.seconds;
  RecordProperty("share_of_a_core", fmt::format("{:.4f}", share));
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(share, 0.05);
#endif
  EXPECT_GT(share, 0);
}

}  // namespace
}  // namespace trainmark::e2e
