#include "measure/slow_down.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trainmark {
namespace {

/// A comparison that found the commit so much slower, to this half-width.
PairedRatio comparison(double slow_down, double half_width) {
  PairedRatio ratio;
  ratio.ratio = std::exp(-slow_down);
  ratio.half_width = half_width;
  ratio.sure_half_width = 1.4 * half_width;
  return ratio;
}

TEST(SlowDown, IsNeverSurerThanTwoStartsAllow) {
  const std::vector<PairedRatio> exact = {comparison(0.05, 1e-6)};
  const SlowDown found = combine_comparisons(exact, least_start_spread);
  EXPECT_NEAR(found.value, 0.05, 1e-9);
  EXPECT_GT(found.half_width, 1.9 * least_start_spread);
  EXPECT_GT(found.sure_half_width, 2.5 * least_start_spread);
}

TEST(SlowDown, AddsTheSpreadBetweenStartsToTheNoiseInside) {
  const std::vector<PairedRatio> noisy = {comparison(0.05, 0.008)};
  EXPECT_GT(combine_comparisons(noisy, least_start_spread).half_width, 0.011);
}

TEST(SlowDown, HasAnIntervalThatHoldsTheSpreadOfItsComparisons) {
  const std::vector<PairedRatio> apart = {comparison(0.02, 0.001), comparison(0.08, 0.001)};
  const double spread = start_spread(std::vector<std::vector<PairedRatio>>{apart});
  EXPECT_NEAR(spread, 0.06 / std::sqrt(2.0), 1e-5);
  const SlowDown found = combine_comparisons(apart, spread);
  EXPECT_NEAR(found.value, 0.05, 1e-9);
  EXPECT_GT(found.half_width, 0.05);
  EXPECT_EQ(side_of(found, {0.1, 0.001, 0.001, 2}), Side::open);
}

TEST(SlowDown, IsNotSpoiledByOneComparisonThatOthersDisturbed) {
  const std::vector<PairedRatio> disturbed = {comparison(0.05, 0.01), comparison(-2.3, 4),
                                              comparison(0.05, 0.01)};
  const double spread = start_spread(std::vector<std::vector<PairedRatio>>{disturbed});
  EXPECT_LT(spread, 0.01);
  const SlowDown found = combine_comparisons(disturbed, spread);
  EXPECT_NEAR(found.value, 0.05, 0.001);
  EXPECT_LT(found.half_width, 0.02);
}

TEST(SlowDown, IsARatioUpsideDown) {
  const PairedRatio ratio = SlowDown{std::log(1.25), 0.01, 0.02, 3}.ratio();
  EXPECT_NEAR(ratio.ratio, 0.8, 1e-9);
  EXPECT_LT(ratio.interval.low, 0.8);
  EXPECT_GT(ratio.interval.high, 0.8);
}

TEST(SlowDown, SaysHowManyMoreComparisonsWouldDecide) {
  const SlowDown whole{0.1, 0.005, 0.005, 2};
  EXPECT_EQ(more_comparisons({0.02, 0.03, 0.04, 2}, whole), 2U);  // 0.04 / √2 is below 0.03
}

}  // namespace
}  // namespace trainmark
