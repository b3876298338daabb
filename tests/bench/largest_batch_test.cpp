#include "bench/largest_batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace trainmark {
namespace {

struct Search {
  int found;
  std::vector<int> tried;
};

Search search(const SearchRange& range, int room) {
  Search result{};
  result.found = find_largest(range, [&](int number) {
    result.tried.push_back(number);
    return number <= room ? Trial::fits : Trial::too_large;
  });
  return result;
}

Search search(int first, int room) {
  return search(SearchRange{.first = first}, room);
}

TEST(LargestBatch, IsFoundToThreePercentInFewTrials) {
  for (const int first : {1, 4, 96, 128, 5120}) {
    for (int room = first; room < 100 * first; room += 1 + first / 3) {
      const Search result = search(first, room);
      ASSERT_LE(result.found, room);
      EXPECT_GE(result.found + std::max(first / 16, result.found / 32) + 1, room)
          << first << " " << room;
      EXPECT_LE(result.tried.size(), 20u);
    }
  }
}

TEST(LargestBatch, CountsInPartsOfTheUsualOne) {
  for (int room = 5120; room < 400'000; room += 777) {
    for (const int batch : search(5120, room).tried) EXPECT_EQ(batch % 320, 0);
  }
}

TEST(LargestBatch, MayBeSmallerThanTheUsualOne) {
  EXPECT_EQ(search(128, 1).found, 1);
  EXPECT_EQ(search(128, 0).found, 0);
  EXPECT_LE(search(5120, 1).tried.size(), 20U) << "by halves, and not one by one";
  const Search half = search(128, 50);
  EXPECT_GE(half.found, 48);
  EXPECT_LE(half.found, 50);
}

TEST(LargestBatch, GoesDownInSixteenthsFromOneThatIsWished) {
  const auto at_most = [](int wish, int room) {
    return search({.first = wish, .most = wish, .in_parts = true}, room);
  };
  EXPECT_EQ(at_most(128, 1000).found, 128);
  EXPECT_EQ(at_most(128, 1000).tried, std::vector<int>{128}) << "what fits is tried once";
  EXPECT_EQ(at_most(128, 100).found, 96);
  EXPECT_EQ(at_most(256, 250).found, 240);
  EXPECT_EQ(at_most(128, 8).found, 8);
  EXPECT_EQ(at_most(128, 7).found, 0) << "less than a sixteenth is another experiment";
  EXPECT_EQ(at_most(1, 1).found, 1);
  for (int room = 8; room < 128; ++room) {
    const Search result = at_most(128, room);
    EXPECT_EQ(result.found, room / 8 * 8) << room;
    EXPECT_LE(result.tried.size(), 8U);
  }
}

TEST(LargestBatch, ShapesAreCountedInSixteenthsThroughout) {
  for (int room = 6000; room < 3'000'000; room += 54'321) {
    const Search result = search({.first = 85742, .most = 1'000'000'000, .in_parts = true}, room);
    EXPECT_LE(result.found, room);
    EXPECT_LE(result.tried.size(), 20U);
    for (const int number : result.tried) {
      if (number < 85742) {
        EXPECT_EQ(number % 5358, 0) << number;
      }
    }
  }
}

TEST(LargestBatch, NeverTriesTheSameTwice) {
  for (int room = 0; room < 3000; room += 7) {
    std::vector<int> tried = search(96, room).tried;
    std::sort(tried.begin(), tried.end());
    EXPECT_EQ(std::adjacent_find(tried.begin(), tried.end()), tried.end()) << room;
  }
}

TEST(LargestBatch, GivesUpWhereATrialBreaks) {
  int trials = 0;
  EXPECT_EQ(find_largest({.first = 8},
                         [&](int) {
                           ++trials;
                           return Trial::broken;
                         }),
            0);
  EXPECT_EQ(trials, 1);
}

TEST(LargestBatch, EndsWhereEverythingFits) {
  EXPECT_LE(search(128, 2'000'000'000).found, 10'000'000);
}

}  // namespace
}  // namespace trainmark
