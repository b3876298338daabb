#include "environ/conditions/energy_trace.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

/// 100 W for ten seconds, then 500 W for ten.
EnergyTrace trace() {
  EnergyTrace result;
  for (int second = 0; second <= 20; ++second) {
    result.add(1000 + second, second <= 10 ? 100 * second : 1000 + 500 * (second - 10));
  }
  return result;
}

TEST(EnergyTrace, TellsThePowerOfTheSpanThatCounts) {
  EXPECT_DOUBLE_EQ(trace().watts(1000, 1010).value(), 100);
  EXPECT_DOUBLE_EQ(trace().watts(1010, 1020).value(), 500);
  EXPECT_DOUBLE_EQ(trace().watts(1000, 1020).value(), 300);
  EXPECT_DOUBLE_EQ(trace().watts(1012.5, 1017.5).value(), 500) << "between readings";
}

TEST(EnergyTrace, OnlyWhatWasSeenCounts) {
  EXPECT_DOUBLE_EQ(trace().watts(1015, 2000).value(), 500) << "the run went on after the last";
  EXPECT_DOUBLE_EQ(trace().watts(0, 1005).value(), 100);
}

TEST(EnergyTrace, TellsNothingOfTooShortASpan) {
  EXPECT_FALSE(trace().watts(1005.1, 1005.9));
  EXPECT_FALSE(trace().watts(1005.5, 1006.5)) << "one reading";
  EXPECT_FALSE(trace().watts(3000, 4000));
  EXPECT_FALSE(EnergyTrace().watts(0, 10));
}

}  // namespace
}  // namespace trainmark
