#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "data/pictures/encode.h"
#include "data/pipeline/memory_set.h"
#include "data/pipeline/pipeline.h"

namespace trainmark::data {
namespace {

/// A picture whose red is also the number of each pixel's class.
std::shared_ptr<MemorySet> street(int width, int height) {
  auto set = std::make_shared<MemorySet>(kind::labelled_pixels);
  Item item;
  item.name = "street";
  item.decoded = {width, height, 3, {}};
  Picture labels{width, height, 1, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto label = static_cast<std::uint8_t>(x / 8 % 4 * 4 + y / 8 % 4);
      labels.pixels.push_back(label);
      for (const int value : {10 * label, 0, 0})
        item.decoded.pixels.push_back(static_cast<std::uint8_t>(value));
    }
  }
  item.second = encode_png(labels);
  set->items.push_back(item);
  return set;
}

PipelineSettings settings_for_streets() {
  PipelineSettings settings;
  settings.kind = kind::labelled_pixels;
  settings.height = 48;
  settings.width = 64;
  settings.floats = false;
  settings.classes = 16;
  return settings;
}

TEST(LabelledPixels, LabelsFollowThePicture) {
  Pipeline pipeline(street(96, 72), settings_for_streets());
  bool flipped = false;
  bool padded = false;
  for (int epoch = 0; epoch < 40; ++epoch) {
    const HostBatch& batch = pipeline.next();
    ASSERT_EQ(batch.labels.size(), 48U * 64);
    flipped = flipped || batch.flipped[0] != 0;
    int wrong = 0;
    int compared = 0;
    for (std::size_t i = 0; i < batch.labels.size(); ++i) {
      const std::uint8_t* pixel = batch.image_bytes.data() + 3 * i;
      if (batch.labels[i] == 255) {
        padded = true;
        EXPECT_EQ(pixel[0], 124);  // the mean of red, which no class has
        EXPECT_EQ(pixel[1], 116);
        EXPECT_EQ(pixel[2], 104);
        continue;
      }
      EXPECT_EQ(pixel[2], 0);
      ++compared;
      if (std::abs(pixel[0] - 10 * batch.labels[i]) > 5) ++wrong;  // red is mixed at borders
    }
    EXPECT_LT(wrong, compared / 3) << epoch;
  }
  EXPECT_TRUE(flipped);
  EXPECT_TRUE(padded);
}

TEST(LabelledPixels, EvaluatesTheMiddlePixelByPixel) {
  PipelineSettings settings = settings_for_streets();
  settings.evaluation = true;
  const auto set = street(96, 40);
  Pipeline pipeline(set, settings);
  const HostBatch& batch = pipeline.next();
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      const auto place = static_cast<std::size_t>(y * 64 + x);
      const std::int64_t expected = y < 40 ? (x + 16) / 8 % 4 * 4 + y / 8 % 4 : 255;
      ASSERT_EQ(batch.labels[place], expected) << x << ", " << y;
      ASSERT_EQ(batch.image_bytes[3 * place], y < 40 ? 10 * expected : 124);
    }
  }
}

TEST(LabelledPixels, MapsNumbersToClasses) {
  const auto set = street(64, 48);
  set->map.emplace();
  set->map->fill(255);
  for (std::size_t number = 8; number < 16; ++number)
    (*set->map)[number] = static_cast<std::uint8_t>(number - 8);
  PipelineSettings settings = settings_for_streets();
  settings.evaluation = true;
  settings.classes = 8;
  Pipeline pipeline(set, settings);
  const HostBatch& batch = pipeline.next();
  EXPECT_EQ(batch.labels[0], 255);
  EXPECT_EQ(batch.labels[16], 0);
  EXPECT_EQ(batch.labels[24], 4);
}

TEST(LabelledPixels, RefusesMapsThatDoNotFit) {
  const auto set = street(64, 48);
  PipelineSettings settings = settings_for_streets();
  settings.evaluation = true;
  settings.classes = 15;
  EXPECT_NE(fault_of(set, settings).find("street: its map of labels contains 15"),
            std::string::npos);
  settings.classes = 16;
  EXPECT_EQ(fault_of(set, settings), "");
  set->items[0].second = encode_png({10, 48, 1, Bytes(480)});
  EXPECT_NE(fault_of(set, settings).find("10 × 48"), std::string::npos);
  set->items[0].second = {1, 2, 3};
  EXPECT_NE(fault_of(set, settings).find("its map of labels: "), std::string::npos);
  set->items[0].second.clear();
  EXPECT_NE(fault_of(set, settings).find("no map of labels"), std::string::npos);
}

}  // namespace
}  // namespace trainmark::data
