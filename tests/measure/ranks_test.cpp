#include "measure/ranks.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

Step step(std::int64_t index, double end, double items) {
  return {index, end, 0.1, items, 1.5, true};
}

TEST(JobSteps, EndWithTheSlowestRankAndAddUpItems) {
  const std::vector<std::vector<Step>> ranks = {{step(0, 1.0, 8), step(1, 2.0, 8)},
                                                {step(0, 1.2, 8), step(1, 1.9, 4)}};
  const auto job = job_steps(ranks);
  ASSERT_EQ(job.size(), 2U);
  EXPECT_DOUBLE_EQ(job[0].end, 1.2);
  EXPECT_DOUBLE_EQ(job[1].end, 2.0);
  EXPECT_DOUBLE_EQ(job[0].items, 16);
  EXPECT_DOUBLE_EQ(job[1].items, 12);
}

TEST(JobSteps, LeaveOutWhatARankHasNotDone) {
  const std::vector<std::vector<Step>> ranks = {
      {step(0, 1, 8), step(1, 2, 8), step(2, 3, 8), step(3, 4, 8)}, {step(0, 1, 8), step(2, 3, 8)}};
  const auto job = job_steps(ranks);
  ASSERT_EQ(job.size(), 2U);
  EXPECT_EQ(job[1].index, 2);
}

TEST(JobSteps, OfNobodyAreNone) {
  EXPECT_TRUE(job_steps({}).empty());
}

/// Steps of `seconds` each, of which `exposed` passed in waiting.
std::vector<Step> rank(double seconds, double exposed, int steps = 20) {
  std::vector<Step> all;
  for (int i = 0; i < steps; ++i) {
    Step one{i, seconds * (i + 1), seconds, 8, 1.5, true};
    one.communication = 2 * exposed;
    one.exposed = exposed;
    all.push_back(one);
  }
  return all;
}

TEST(RanksSummary, TellsTimesAndSharesOfTheWindow) {
  std::vector<std::vector<Step>> ranks = {rank(0.1, 0.02), rank(0.1, 0.04)};
  ranks[0][0].seconds = 5;  // outside of the window
  const RanksSummary summary = summarize_ranks(ranks, 1, 19);
  ASSERT_EQ(summary.ranks.size(), 2U);
  EXPECT_DOUBLE_EQ(summary.ranks[0].step_median, 0.1);
  EXPECT_DOUBLE_EQ(summary.ranks[0].step_high, 0.1);
  EXPECT_NEAR(summary.ranks[1].work_median, 0.06, 1e-12);
  EXPECT_NEAR(summary.exposed.value(), 0.3, 1e-12);
  EXPECT_NEAR(summary.communication.value(), 0.6, 1e-12);
  EXPECT_TRUE(check_ranks(ranks, summary, 1, 19).size() == 1);  // rank 0 works longer
}

TEST(RanksSummary, KnowsNoSharesWhereNobodyTells) {
  const std::vector<std::vector<Step>> ranks = {{step(0, 1, 8)}, {step(0, 1, 8)}};
  const RanksSummary summary = summarize_ranks(ranks, 0, 0);
  EXPECT_FALSE(summary.communication.has_value());
  EXPECT_FALSE(summary.exposed.has_value());
}

// All steps of a synchronous job are as long as the slowest rank's; only the waiting tells who it
// is.
TEST(Straggler, IsTheOneForWhomTheOthersWait) {
  const std::vector<std::vector<Step>> ranks = {rank(0.1, 0.03), rank(0.1, 0.001), rank(0.1, 0.03)};
  RanksSummary summary = summarize_ranks(ranks, 0, 19);
  summary.ranks[1].host = "gpu07";
  const Verdicts verdicts = check_ranks(ranks, summary, 0, 19);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].name, "straggler");
  EXPECT_NE(verdicts[0].message.find("rank 1 on gpu07"), std::string::npos);
}

TEST(Straggler, IsNobodyWhoIsSlowNowAndThen) {
  std::vector<std::vector<Step>> ranks = {rank(0.1, 0.01), rank(0.1, 0.01), rank(0.1, 0.01)};
  EXPECT_TRUE(check_ranks(ranks, summarize_ranks(ranks, 0, 19), 0, 19).empty());
  for (int i = 0; i < 5; ++i) ranks[2][static_cast<std::size_t>(i)].seconds = 0.5;
  EXPECT_TRUE(check_ranks(ranks, summarize_ranks(ranks, 0, 19), 0, 19).empty());
  // In most of the steps, but not step after step.
  for (int i = 0; i < 12; ++i) ranks[2][static_cast<std::size_t>(i)].seconds = 0.2;
  EXPECT_TRUE(check_ranks(ranks, summarize_ranks(ranks, 0, 19), 0, 19).empty());
}

}  // namespace
}  // namespace trainmark
