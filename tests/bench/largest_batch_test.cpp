#include "bench/largest_batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace trainmark {
namespace {

struct Search {
  int found;
  std::vector<int> tried;
};

Search search(int first, int room) {
  Search result{};
  result.found = find_largest_batch(first, [&](int batch) {
    result.tried.push_back(batch);
    return batch <= room ? Trial::fits : Trial::too_large;
  });
  return result;
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

TEST(LargestBatch, NeverTriesTheSameTwice) {
  for (int room = 0; room < 3000; room += 7) {
    std::vector<int> tried = search(96, room).tried;
    std::sort(tried.begin(), tried.end());
    EXPECT_EQ(std::adjacent_find(tried.begin(), tried.end()), tried.end()) << room;
  }
}

TEST(LargestBatch, GivesUpWhereATrialBreaks) {
  int trials = 0;
  EXPECT_EQ(find_largest_batch(8,
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
