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

}  // namespace
}  // namespace trainmark
