#include "data/pipeline/bucketing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "data/pipeline/memory_set.h"

namespace trainmark::data {
namespace {

constexpr int longest_sentence = 64;

/// Lengths as translations have them: most are short, and both sides are about as long.
std::shared_ptr<MemorySet> pairs_of_many_lengths(int count) {
  auto set = std::make_shared<MemorySet>(kind::sentence_pairs);
  std::mt19937 generator(7);
  std::gamma_distribution<double> lengths(2.5, 9.0);
  std::normal_distribution<double> ratios(1.0, 0.15);
  for (int i = 0; i < count; ++i) {
    const double length = lengths(generator);
    const auto tokens = [](double wanted) {
      return std::vector<std::int32_t>(
          static_cast<std::size_t>(std::clamp(wanted, 1.0, 1.0 * longest_sentence)), 5);
    };
    Item item;
    item.name = std::to_string(i);
    item.target = tokens(length);
    item.tokens = tokens(length * ratios(generator));
    set->items.push_back(std::move(item));
  }
  return set;
}

struct Widths {
  std::int32_t source = 0;
  std::int32_t target = 0;
};

Widths widths_of(const MemorySet& set, const Schedule& schedule, const Position& position) {
  Widths result;
  for (std::int64_t slot = 0; slot < schedule.items(position); ++slot) {
    const std::int64_t item = schedule.item(position, slot, 0);
    result.source =
        std::max(result.source, padded_width(set.source_length(item), longest_sentence));
    result.target = std::max(result.target, padded_width(set.length(item), longest_sentence));
  }
  return result;
}

TEST(BucketedSchedule, EvaluatesEveryPairOnce) {
  const auto set = pairs_of_many_lengths(503);
  for (const int ranks : {1, 2, 3}) {
    std::multiset<std::int64_t> items;
    for (int rank = 0; rank < ranks; ++rank) {
      const BucketedSchedule schedule(
          *set, longest_sentence, {.batch = 256, .rank = rank, .ranks = ranks, .evaluation = true});
      for (std::int64_t batch = 0; batch < schedule.batches(); ++batch)
        for (std::int64_t slot = 0; slot < schedule.items({0, batch}); ++slot)
          items.insert(schedule.item({0, batch}, slot, 0));
    }
    EXPECT_EQ(items.size(), 503U);
    EXPECT_EQ(std::set(items.begin(), items.end()).size(), 503U);
  }
}

TEST(PaddedWidth, IsAMultipleOfEightButForTheLongest) {
  EXPECT_EQ(padded_width(1, 64), 8);
  EXPECT_EQ(padded_width(8, 64), 8);
  EXPECT_EQ(padded_width(9, 64), 16);
  EXPECT_EQ(padded_width(19, 20), 20);
  EXPECT_EQ(padded_width(90, 20), 20);
}

TEST(BucketedSchedule, HasEveryPairOnceInEachEpoch) {
  const auto set = pairs_of_many_lengths(5000);
  const BucketedSchedule schedule(*set, longest_sentence, {.batch = 1024});
  for (const std::int64_t epoch : {0, 1}) {
    std::set<std::int64_t> seen;
    for (std::int64_t batch = 0; batch < schedule.batches(); ++batch)
      for (std::int64_t slot = 0; slot < schedule.items({epoch, batch}); ++slot)
        EXPECT_TRUE(seen.insert(schedule.item({epoch, batch}, slot, 0)).second);
    EXPECT_EQ(seen.size(), 5000U);
  }
}

TEST(BucketedSchedule, FillsBatchesWithoutMuchPadding) {
  const auto set = pairs_of_many_lengths(20'000);
  const BucketedSchedule schedule(*set, longest_sentence, {.batch = 2048});
  std::int64_t room = 0;
  std::int64_t target_tokens = 0;
  std::int64_t source_room = 0;
  std::int64_t source_tokens = 0;
  for (std::int64_t batch = 0; batch < schedule.batches(); ++batch) {
    const Position position{0, batch};
    const std::int64_t items = schedule.items(position);
    const Widths widths = widths_of(*set, schedule, position);
    EXPECT_LE(items * widths.target, 2048);
    room += items * widths.target;
    source_room += items * widths.source;
    for (std::int64_t slot = 0; slot < items; ++slot) {
      const std::int64_t item = schedule.item(position, slot, 0);
      target_tokens += set->length(item);
      source_tokens += set->source_length(item);
    }
  }
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  EXPECT_GT(share(room, schedule.batches() * 2048), 0.95);  // batches are full
  EXPECT_GT(share(target_tokens, room), 0.82);              // what rounding up to 8 leaves of it
  EXPECT_GT(share(source_tokens, source_room), 0.80);
}

TEST(BucketedSchedule, MixesPairsAndBatchesInEachEpoch) {
  const auto set = pairs_of_many_lengths(5000);
  const BucketedSchedule schedule(*set, longest_sentence, {.batch = 1024});
  const auto batch_with = [&](std::int64_t epoch, std::int64_t item) {
    std::set<std::int64_t> result;
    for (std::int64_t batch = 0; batch < schedule.batches(); ++batch) {
      std::set<std::int64_t> members;
      for (std::int64_t slot = 0; slot < schedule.items({epoch, batch}); ++slot)
        members.insert(schedule.item({epoch, batch}, slot, 0));
      if (members.contains(item)) return members;
    }
    return result;
  };
  EXPECT_EQ(batch_with(0, 17), batch_with(0, 17));
  EXPECT_NE(batch_with(0, 17), batch_with(1, 17));
  // Lengths do not rise or fall along the epoch.
  double change = 0;
  double spread = 0;
  for (std::int64_t batch = 1; batch < schedule.batches(); ++batch) {
    change += std::abs(widths_of(*set, schedule, {0, batch}).target -
                       widths_of(*set, schedule, {0, batch - 1}).target);
    spread += std::abs(widths_of(*set, schedule, {0, batch}).target -
                       widths_of(*set, schedule, {0, 0}).target);
  }
  EXPECT_GT(change, spread / 3);
}

TEST(BucketedSchedule, RanksTrainDifferentPairsOfLikeLengths) {
  const auto set = pairs_of_many_lengths(5000);
  const BucketedSchedule first(*set, longest_sentence, {.batch = 512, .rank = 0, .ranks = 2});
  const BucketedSchedule second(*set, longest_sentence, {.batch = 512, .rank = 1, .ranks = 2});
  ASSERT_EQ(first.batches(), second.batches());
  std::set<std::int64_t> seen;
  std::int64_t unlike = 0;
  for (std::int64_t batch = 0; batch < first.batches(); ++batch) {
    for (const BucketedSchedule* schedule : {&first, &second})
      for (std::int64_t slot = 0; slot < schedule->items({3, batch}); ++slot)
        EXPECT_TRUE(seen.insert(schedule->item({3, batch}, slot, 0)).second);
    const Widths one = widths_of(*set, first, {3, batch});
    const Widths other = widths_of(*set, second, {3, batch});
    if (one.target != other.target) ++unlike;
  }
  EXPECT_LT(unlike, first.batches() / 5);
  EXPECT_GT(seen.size(), 4900U);  // but for less than a turn
}

TEST(BucketedSchedule, LeavesOutOtherPairsInOtherEpochs) {
  const auto set = pairs_of_many_lengths(300);
  std::map<std::int64_t, int> seen;
  constexpr int epochs = 40;
  for (int rank = 0; rank < 7; ++rank) {
    const BucketedSchedule schedule(*set, longest_sentence,
                                    {.batch = 256, .rank = rank, .ranks = 7});
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch)
      for (std::int64_t batch = 0; batch < schedule.batches(); ++batch)
        for (std::int64_t slot = 0; slot < schedule.items({epoch, batch}); ++slot)
          ++seen[schedule.item({epoch, batch}, slot, 0)];
  }
  EXPECT_EQ(seen.size(), 300U);
}

TEST(BucketedSchedule, TakesEveryLengthForTheLongestWhereNoneIsKnown) {
  const auto set = pairs_of_many_lengths(100);
  set->knows_lengths = false;
  const BucketedSchedule schedule(*set, longest_sentence, {.batch = 640});
  EXPECT_EQ(schedule.batches(), 10);
  EXPECT_EQ(schedule.items({0, 0}), 10);
}

TEST(BucketedSchedule, HasAPairPerBatchWhereNoTwoFit) {
  const auto set = pairs_of_many_lengths(10);
  const BucketedSchedule schedule(*set, longest_sentence, {.batch = 1});
  EXPECT_EQ(schedule.batches(), 10);
}

}  // namespace
}  // namespace trainmark::data
