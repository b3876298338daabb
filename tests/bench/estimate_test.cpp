#include "bench/estimate.h"

#include <gtest/gtest.h>

#include "suite/suite.h"

namespace trainmark {
namespace {

Measuring measuring_of(const std::string& measure) {
  return settle_measuring(
      parse_suite("matrix: {workload: a}\nrounds: 3\nmeasure: " + measure, "s.yaml"));
}

TEST(Estimate, GrowsWithCellsRoundsAndTheCap) {
  const Measuring measuring = measuring_of("{rule: adaptive, max_seconds: 8}");
  const double once = estimated_seconds(1, measuring).value();
  EXPECT_GE(once, 3 * 8);
  EXPECT_DOUBLE_EQ(estimated_seconds(7, measuring).value(), 7 * once);
  EXPECT_GT(estimated_seconds(1, measuring_of("{rule: adaptive, max_seconds: 20}")).value(), once);
}

TEST(Estimate, IsNotMadeForARuleThatCountsSteps) {
  EXPECT_FALSE(estimated_seconds(1, measuring_of("{rule: fixed}")).has_value());
}

TEST(Estimate, LeavesRoundsOutThatDoNotFit) {
  const Measuring measuring = measuring_of("{rule: turns, max_seconds: 8}");
  const double all = estimated_seconds(10, measuring).value();
  EXPECT_EQ(rounds_within(all, 10, measuring), 3);
  EXPECT_EQ(rounds_within(0.7 * all, 10, measuring), 2);
  EXPECT_EQ(rounds_within(1, 10, measuring), 1) << "one at least";
}

}  // namespace
}  // namespace trainmark
