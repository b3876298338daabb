#include "bench/run_order.h"

#include <gtest/gtest.h>

#include <set>

namespace trainmark {
namespace {

TEST(Order, IsAPermutationOfItsOwnInEveryRound) {
  const auto first = shuffled_order(50, 1, 1);
  EXPECT_EQ(std::set<std::size_t>(first.begin(), first.end()).size(), 50U);
  EXPECT_EQ(first, shuffled_order(50, 1, 1));
  EXPECT_NE(first, shuffled_order(50, 1, 2));
  EXPECT_NE(first, shuffled_order(50, 2, 1));
  EXPECT_TRUE(shuffled_order(0, 1, 1).empty());
}

TEST(Order, GivesEveryCellEveryPlace) {
  std::set<std::size_t> firsts;
  for (int round = 1; round <= 100; ++round) firsts.insert(shuffled_order(3, 1, round)[0]);
  EXPECT_EQ(firsts.size(), 3U);
}

TEST(Order, OfASuiteHoldsEveryPairOnceRoundAfterRound) {
  const auto runs = runs_in_order(5, 3, 7);
  ASSERT_EQ(runs.size(), 15U);
  std::set<std::pair<std::size_t, int>> pairs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    pairs.emplace(runs[i].cell, runs[i].round);
    EXPECT_EQ(runs[i].round, static_cast<int>(i / 5) + 1);
    EXPECT_EQ(runs[i].cell, shuffled_order(5, 7, runs[i].round)[i % 5]);
  }
  EXPECT_EQ(pairs.size(), 15U);
}

}  // namespace
}  // namespace trainmark
