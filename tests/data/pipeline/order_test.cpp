#include "data/pipeline/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <vector>

namespace trainmark::data {
namespace {

std::vector<std::int64_t> all_places(const Permutation& permutation, std::int64_t n) {
  std::vector<std::int64_t> result;
  for (std::int64_t place = 0; place < n; ++place) result.push_back(permutation[place]);
  return result;
}

TEST(Permutation, HasEveryNumberOnce) {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 10, 97, 1024, 1025, 70'000}) {
    std::vector<std::int64_t> numbers = all_places(Permutation(n, 3, "order"), n);
    std::ranges::sort(numbers);
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(numbers[static_cast<std::size_t>(i)], i) << n;
  }
}

TEST(Permutation, StaysWithinSetsThatNoListWouldHold) {
  const std::int64_t n = 3'000'000'000'017;
  const Permutation permutation(n, 3, "order");
  std::set<std::int64_t> seen;
  for (std::int64_t place = 0; place < 1000; ++place) {
    EXPECT_GE(permutation[place], 0);
    EXPECT_LT(permutation[place], n);
    seen.insert(permutation[place]);
  }
  EXPECT_EQ(seen.size(), 1000U);
}

TEST(Permutation, DiffersBySeedAndName) {
  const auto numbers = all_places(Permutation(100, 1, "order"), 100);
  EXPECT_EQ(numbers, all_places(Permutation(100, 1, "order"), 100));
  EXPECT_NE(numbers, all_places(Permutation(100, 2, "order"), 100));
  EXPECT_NE(numbers, all_places(Permutation(100, 1, "turns"), 100));
}

TEST(Permutation, PrefersNoNumberAtAnyPlace) {
  constexpr std::int64_t n = 7;
  constexpr int seeds = 7000;
  std::array<std::array<int, n>, n> counts{};
  int neighbours = 0;  // 0 right before 1
  for (int seed = 0; seed < seeds; ++seed) {
    const auto numbers = all_places(Permutation(n, static_cast<std::uint64_t>(seed), "order"), n);
    for (std::size_t place = 0; place < n; ++place)
      ++counts[place][static_cast<std::size_t>(numbers[place])];
    const auto zero = std::ranges::find(numbers, 0);
    if (zero + 1 != numbers.end() && *(zero + 1) == 1) ++neighbours;
  }
  for (const auto& at_place : counts)
    for (const int count : at_place) EXPECT_NEAR(count, 1000, 150);  // five standard errors
  EXPECT_NEAR(neighbours, 1000, 150);
}

std::vector<std::int64_t> items_of(const Schedule& schedule, std::int64_t epoch) {
  std::vector<std::int64_t> result;
  for (std::int64_t batch = 0; batch < schedule.batches(); ++batch)
    for (std::int64_t slot = 0; slot < schedule.items({epoch, batch}); ++slot)
      result.push_back(schedule.item({epoch, batch}, slot, 0));
  return result;
}

TEST(ShuffledSchedule, RanksTogetherSeeEveryItemOnce) {
  for (const int ranks : {1, 2, 3}) {
    std::vector<std::int64_t> seen;
    for (int rank = 0; rank < ranks; ++rank) {
      const ShuffledSchedule schedule(120, {.batch = 4, .rank = rank, .ranks = ranks});
      EXPECT_EQ(schedule.batches(), 120 / 4 / ranks);
      const auto own = items_of(schedule, 0);
      seen.insert(seen.end(), own.begin(), own.end());
    }
    std::ranges::sort(seen);
    ASSERT_EQ(seen.size(), 120U);
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], static_cast<std::int64_t>(i));
  }
}

TEST(ShuffledSchedule, EpochsDiffer) {
  const ShuffledSchedule schedule(100, {.batch = 10});
  EXPECT_NE(items_of(schedule, 0), items_of(schedule, 1));
  EXPECT_EQ(items_of(schedule, 1), items_of(schedule, 1));
}

TEST(ShuffledSchedule, LeavesOutWhatFillsNoBatchOfAllRanks) {
  std::set<std::int64_t> seen;
  for (int rank = 0; rank < 2; ++rank) {
    const ShuffledSchedule schedule(107, {.batch = 5, .rank = rank, .ranks = 2});
    EXPECT_EQ(schedule.batches(), 10);
    for (const std::int64_t item : items_of(schedule, 4)) EXPECT_TRUE(seen.insert(item).second);
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(ShuffledSchedule, PadsWhatIsSmallerThanABatchWithItsFirstItems) {
  const ShuffledSchedule schedule(3, {.batch = 8});
  EXPECT_EQ(schedule.batches(), 1);
  const auto items = items_of(schedule, 0);
  ASSERT_EQ(items.size(), 8U);
  EXPECT_EQ(std::set(items.begin(), items.end()).size(), 3U);
  for (std::size_t i = 3; i < 8; ++i) EXPECT_EQ(items[i], items[i - 3]);
}

TEST(OrderedSchedule, HasEveryItemOnceInTheOrderOfTheSet) {
  for (const int ranks : {1, 2, 3, 5}) {
    for (const std::int64_t size : {1, 4, 6, 7, 31}) {
      std::vector<std::int64_t> all;
      for (int rank = 0; rank < ranks; ++rank) {
        const OrderedSchedule schedule(size, {.batch = 2, .rank = rank, .ranks = ranks});
        const auto items = items_of(schedule, 0);
        EXPECT_EQ(items_of(schedule, 1), items);
        EXPECT_EQ(schedule.batches(), (std::ssize(items) + 1) / 2);
        all.insert(all.end(), items.begin(), items.end());
      }
      std::vector<std::int64_t> expected(static_cast<std::size_t>(size));
      std::iota(expected.begin(), expected.end(), 0);
      EXPECT_EQ(all, expected) << size << " items of " << ranks << " ranks";
    }
  }
}

TEST(OrderedSchedule, LeavesTheRestToTheLastBatch) {
  const OrderedSchedule schedule(7, {.batch = 3});
  ASSERT_EQ(schedule.batches(), 3);
  EXPECT_EQ(schedule.items({0, 1}), 3);
  EXPECT_EQ(schedule.items({0, 2}), 1);
}

TEST(ShuffledSchedule, ReplacesByWhatTheRankSeesNext) {
  const ShuffledSchedule schedule(40, {.batch = 5, .rank = 1, .ranks = 2});
  EXPECT_EQ(schedule.item({0, 0}, 2, 1), schedule.item({0, 0}, 3, 0));
  EXPECT_EQ(schedule.item({0, 0}, 4, 2), schedule.item({0, 1}, 1, 0));
}

}  // namespace
}  // namespace trainmark::data
