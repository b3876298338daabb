#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "data/pictures/encode.h"
#include "data/pipeline/memory_set.h"
#include "data/pipeline/pipeline.h"

namespace trainmark::data {
namespace {

std::shared_ptr<MemorySet> two_sides(int first, int second) {
  auto set = std::make_shared<MemorySet>(kind::image_pairs);
  for (int i = 0; i < first + second; ++i) {
    Item item;
    item.name = (i < first ? "a" : "b") + std::to_string(i);
    item.decoded = told_pixels(64, 64, i);
    (i < first ? set->items : set->others).push_back(item);
  }
  return set;
}

PipelineSettings settings_for_pairs(std::int64_t batch) {
  PipelineSettings settings;
  settings.kind = kind::image_pairs;
  settings.batch = batch;
  settings.height = 64;
  settings.width = 64;
  settings.floats = false;
  return settings;
}

constexpr std::size_t pair_numbers = 64 * 64 * 3;

TEST(ImagePairs, JoinsEveryPictureOfTheFirstSideByAnyOfTheSecond) {
  Pipeline pipeline(two_sides(6, 5), settings_for_pairs(6));
  std::multiset<int> others;
  std::set<int> met_by_first;
  for (int epoch = 0; epoch < 10; ++epoch) {
    const HostBatch& batch = pipeline.next();
    std::set<int> own;
    for (std::size_t slot = 0; slot < 6; ++slot) {
      own.insert(batch.image_bytes[slot * pair_numbers + 2]);
      const int other = batch.other_image_bytes[slot * pair_numbers + 2];
      others.insert(other);
      if (batch.names[slot] == "a0") met_by_first.insert(other);
    }
    EXPECT_EQ(own, (std::set{0, 1, 2, 3, 4, 5}));
  }
  for (int other = 6; other < 11; ++other) EXPECT_GT(others.count(other), 2U) << other;
  EXPECT_EQ(others.size(), 60U);
  EXPECT_GT(met_by_first.size(), 2U);
}

TEST(ImagePairs, ShowsTheWindowThatItSaysAndTurnsIt) {
  Pipeline pipeline(two_sides(1, 1), settings_for_pairs(1));
  int flips = 0;
  for (int epoch = 0; epoch < 20; ++epoch) {
    const HostBatch& batch = pipeline.next();
    const Box& box = batch.boxes[0];
    flips += batch.flipped[0];
    for (const std::size_t x : {10, 30, 50}) {
      const double across = batch.flipped[0] != 0 ? 63.0 - static_cast<double>(x) : 1.0 * x;
      // 64 pixels were made 72, of which the window has 64.
      EXPECT_NEAR(batch.image_bytes[3 * (20 * 64 + x)], (box.left + across + 0.5) * 64 / 72 - 0.5,
                  1);
      EXPECT_NEAR(batch.image_bytes[3 * (20 * 64 + x) + 1], (box.top + 20.5) * 64 / 72 - 0.5, 1);
    }
  }
  EXPECT_GT(flips, 2);
  EXPECT_LT(flips, 18);
}

TEST(ImagePairs, EvaluatesWholePictures) {
  const auto set = two_sides(3, 4);
  PipelineSettings settings = settings_for_pairs(3);
  settings.evaluation = true;
  Pipeline pipeline(set, settings);
  const HostBatch& batch = pipeline.next();
  for (std::size_t slot = 0; slot < 3; ++slot) {
    const auto begin = batch.image_bytes.begin() + static_cast<std::ptrdiff_t>(slot * pair_numbers);
    EXPECT_TRUE(
        std::ranges::equal(std::span(begin, pair_numbers), set->items[slot].decoded.pixels));
    EXPECT_EQ(batch.other_image_bytes[slot * pair_numbers + 2], 3 + slot);
  }
}

TEST(ImagePairs, EvaluatesAsManyAsTheSmallerSideHas) {
  for (const auto& set : {two_sides(3, 2), two_sides(2, 3)}) {
    PipelineSettings settings = settings_for_pairs(3);
    settings.evaluation = true;
    Pipeline pipeline(set, settings);
    EXPECT_EQ(pipeline.batches_per_epoch(), 1);
    EXPECT_EQ(pipeline.next().items, 2);
  }
}

TEST(ImagePairs, NamesTheBadPictureOfTheOtherSide) {
  const auto set = two_sides(1, 1);
  set->bad_others = {0};
  EXPECT_NE(fault_of(set, settings_for_pairs(1)).find("b1 on the other side: it is damaged"),
            std::string::npos);
  set->bad_others.clear();
  set->others[0].decoded = {};
  EXPECT_NE(fault_of(set, settings_for_pairs(1)).find("b1 on the other side: "), std::string::npos);
}

TEST(ImagePairs, TakesBothSidesOfAnItemThatHasThem) {
  const auto set = two_sides(1, 0);
  EXPECT_NE(fault_of(set, settings_for_pairs(1)).find("no picture of the other side"),
            std::string::npos);
  set->items[0].second = encode_png(told_pixels(64, 64, 9));
  Pipeline pipeline(set, settings_for_pairs(1));
  const HostBatch& batch = pipeline.next();
  EXPECT_EQ(batch.image_bytes[2], 0);
  EXPECT_EQ(batch.other_image_bytes[2], 9);
}

}  // namespace
}  // namespace trainmark::data
