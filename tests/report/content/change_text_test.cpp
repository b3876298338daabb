#include "report/content/change_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace trainmark {
namespace {

TEST(ChangeText, HasASignAndNoMinusZero) {
  EXPECT_EQ(change_text(0.9759, true), "−2.41 %");
  EXPECT_EQ(change_text(0.9759, false), "-2.41 %");
  EXPECT_EQ(change_text(1.5, true), "+50.00 %");
  EXPECT_EQ(change_text(0.99999, true), "+0.00 %");
}

TEST(ChangeText, WithoutAFigureThereIsNoChange) {
  EXPECT_EQ(change_text(0, true), "-");
  EXPECT_EQ(change_interval_text(Comparison{}, true), "?");
}

TEST(ChangeText, AnIntervalThatEndsNowhereIsNotKnown) {
  Comparison comparison;
  comparison.ratio = 0.97;
  comparison.interval = {0.96, 0.98};
  EXPECT_EQ(change_interval_text(comparison, true), "−4.00 … −2.00 %");
  EXPECT_EQ(change_interval_text(comparison, false), "-4.00 .. -2.00 %");
  comparison.interval.high = 9e20;
  EXPECT_EQ(change_interval_text(comparison, true), "−4.00 … > +1000 %");
  comparison.interval.high = std::numeric_limits<double>::infinity();
  EXPECT_EQ(change_interval_text(comparison, true), "?");
}

}  // namespace
}  // namespace trainmark
