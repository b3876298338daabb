#include "measure/result.h"

#include <gtest/gtest.h>

#include <cmath>

#include "measure/made_up_runs.h"

namespace trainmark {
namespace {

std::vector<std::string> names(const Verdicts& verdicts) {
  std::vector<std::string> result;
  for (const Verdict& verdict : verdicts) result.push_back(verdict.name);
  return result;
}

using Names = std::vector<std::string>;

TEST(CombineRuns, EveryRunWeighsTheSameInTimePerItem) {
  const CellThroughput result = combine_runs(runs_with({100, 200}));
  EXPECT_DOUBLE_EQ(result.value, 2 / (1.0 / 100 + 1.0 / 200));
  EXPECT_DOUBLE_EQ(result.average, 150);
  EXPECT_DOUBLE_EQ(result.median, 150);
  EXPECT_FALSE(result.single_run);
}

TEST(CombineRuns, IntervalIsStudentsOverRuns) {
  const CellThroughput result = combine_runs(runs_with({99, 100, 101}));
  // 1 % between runs, t of 4.303 for three runs.
  EXPECT_NEAR(std::log(result.interval.high / result.value), 4.303 * 0.01 / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(result.relative_spread, 0.01, 1e-12);
}

TEST(CombineRuns, DoesNotBelieveRunsThatAgreeByLuck) {
  const CellThroughput result = combine_runs(runs_with({100, 100, 100}, 0.01));
  EXPECT_NEAR(std::log(result.interval.high / result.value), 0.01 / std::sqrt(3.0), 1e-9);
}

TEST(CombineRuns, OneRunHasItsOwnInterval) {
  const CellThroughput result = combine_runs(runs_with({100}, 0.01));
  EXPECT_TRUE(result.single_run);
  EXPECT_NEAR(result.interval.high, 100 * std::exp(0.01), 1e-9);
  EXPECT_EQ(result.relative_spread, 0);
}

TEST(CombineRuns, RunsWithoutAFigureDoNotCount) {
  auto runs = runs_with({100, 102});
  runs.emplace_back();
  EXPECT_DOUBLE_EQ(combine_runs(runs).average, 101);
  EXPECT_EQ(combine_runs({}).value, 0);
  EXPECT_FALSE(combine_runs({}).single_run);
}

TEST(CheckRuns, QuietRunsGiveNoRemark) {
  EXPECT_TRUE(check_runs(runs_with({100, 101, 100.5})).empty());
  EXPECT_TRUE(check_runs({}).empty());
}

TEST(CheckRuns, SingleRun) {
  EXPECT_EQ(names(check_runs(runs_with({100}))), Names{"single-run"});
}

TEST(CheckRuns, FirstRunSlower) {
  EXPECT_EQ(names(check_runs(runs_with({96, 100, 100.2}))), Names{"first-run-slower"});
  EXPECT_TRUE(check_runs(runs_with({98, 100, 100.2})).empty());
  EXPECT_TRUE(check_runs(runs_with({104, 100, 100.2})).empty());
  // Not beyond the spread of the others.
  EXPECT_TRUE(check_runs(runs_with({96, 98.5, 101})).empty());
}

TEST(CheckRuns, RunsDisagree) {
  EXPECT_EQ(names(check_runs(runs_with({100, 90, 110}))), Names{"runs-disagree"});
  EXPECT_EQ(names(check_runs(runs_with({100, 110}))), Names{"runs-disagree"});
}

}  // namespace
}  // namespace trainmark
