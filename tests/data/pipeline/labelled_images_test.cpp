#include <gtest/gtest.h>

#include <algorithm>

#include "data/pictures/encode.h"
#include "data/pipeline/memory_set.h"
#include "data/pipeline/pipeline.h"

namespace trainmark::data {
namespace {

TEST(LabelledImages, MakesGreyPixelsRgb) {
  auto set = std::make_shared<MemorySet>(kind::labelled_images);
  Item item;
  item.decoded = {28, 28, 1, Bytes(28 * 28, 102)};
  item.label = 4;
  set->items.push_back(item);
  PipelineSettings settings = settings_for_pictures(1);
  Pipeline as_floats(set, settings);
  const HostBatch& floats = as_floats.next();
  ASSERT_EQ(floats.images.size(), 8U * 8 * 3);
  for (std::size_t i = 0; i < floats.images.size(); ++i)
    ASSERT_NEAR(
        floats.images[i],
        (0.4F - settings.normalization.mean[i % 3]) / settings.normalization.deviation[i % 3],
        1e-5F);
  EXPECT_TRUE(floats.image_bytes.empty());
  EXPECT_EQ(floats.labels, std::vector<std::int64_t>{4});
  settings.floats = false;
  Pipeline as_bytes(set, settings);
  const HostBatch& bytes = as_bytes.next();
  EXPECT_EQ(bytes.image_bytes, Bytes(8 * 8 * 3, 102));
  EXPECT_TRUE(bytes.images.empty());
}

TEST(LabelledImages, ShowsTheBoxThatItSaysAndTurnsIt) {
  auto set = std::make_shared<MemorySet>(kind::labelled_images);
  for (int i = 0; i < 40; ++i) {
    Item item;
    item.decoded = told_pixels(200, 160, i);
    item.label = i;
    set->items.push_back(item);
  }
  PipelineSettings settings = settings_for_pictures(40);
  settings.floats = false;
  Pipeline pipeline(set, settings);
  const HostBatch& batch = pipeline.next();
  for (std::size_t slot = 0; slot < 40; ++slot) {
    const Box& box = batch.boxes[slot];
    const std::uint8_t* image = batch.image_bytes.data() + slot * 8 * 8 * 3;
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 8; ++x, image += 3) {
        const int across = batch.flipped[slot] != 0 ? 7 - x : x;
        // The middle of the part of the box that this pixel shows; red and green say where.
        EXPECT_NEAR(image[0], box.left + (across + 0.5) * box.width / 8 - 0.5,
                    0.15 * box.width / 8 + 1);
        EXPECT_NEAR(image[1], box.top + (y + 0.5) * box.height / 8 - 0.5,
                    0.15 * box.height / 8 + 1);
        EXPECT_EQ(image[2], batch.labels[slot]);
      }
    }
  }
  EXPECT_GT(std::ranges::count(batch.flipped, 1), 5);
  EXPECT_GT(std::ranges::count(batch.flipped, 0), 5);
}

TEST(LabelledImages, DecodesOnlyWhatItCuts) {
  auto set = std::make_shared<MemorySet>(kind::labelled_images);
  Item item;
  Picture picture{96, 96, 3, Bytes(96 * 96 * 3, 90)};
  item.picture = encode_jpeg(picture);
  item.label = 0;
  set->items.push_back(item);
  PipelineSettings settings = settings_for_pictures(3);
  settings.floats = false;
  Pipeline pipeline(set, settings);
  for (const std::uint8_t value : pipeline.next().image_bytes) EXPECT_NEAR(value, 90, 2);
}

TEST(LabelledImages, RefusesWrongLabelsAndWhatIsNoPicture) {
  auto set = small_pictures(1);
  PipelineSettings settings = settings_for_pictures(1);
  settings.classes = 10;
  set->items[0].label = 10;
  EXPECT_NE(fault_of(set, settings).find("picture0: its label is 10"), std::string::npos);
  set->items[0].label = -1;
  EXPECT_NE(fault_of(set, settings).find("it has no label"), std::string::npos);
  set->items[0].label = 9;
  EXPECT_EQ(fault_of(set, settings), "");
  set->items[0].decoded.pixels.pop_back();
  EXPECT_NE(fault_of(set, settings).find("do not match"), std::string::npos);
  set->items[0].decoded = {};
  set->items[0].picture = {1, 2, 3};
  EXPECT_NE(fault_of(set, settings).find("picture0: "), std::string::npos);
}

}  // namespace
}  // namespace trainmark::data
