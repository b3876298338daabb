#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "data/pictures/encode.h"
#include "data/pipeline/item_chances.h"
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

TEST(LabelledImages, LeavesJpegsToTheDeviceWhereItIsAskedTo) {
  auto set = std::make_shared<MemorySet>(kind::labelled_images);
  for (int i = 0; i < 12; ++i) {
    Item item;
    item.name = std::to_string(i);
    const Picture picture = told_pixels(60, 40, i);
    item.picture = i % 3 == 0 ? encode_png(picture) : encode_jpeg(picture);
    if (i == 5) item.picture.resize(item.picture.size() / 2);  // truncated: for no device to guess
    item.label = i;
    set->items.push_back(item);
  }
  PipelineSettings settings = settings_for_pictures(12);
  settings.floats = false;
  Pipeline decoding(set, settings);
  settings.encoded_share = 1;
  Pipeline leaving(set, settings);
  for (int epoch = 0; epoch < 3; ++epoch) {
    const HostBatch& expected = decoding.next();
    const HostBatch& batch = leaving.next();
    EXPECT_EQ(batch.labels, expected.labels);
    EXPECT_EQ(batch.boxes, expected.boxes);
    EXPECT_EQ(batch.flipped, expected.flipped);
    EXPECT_TRUE(expected.encoded.empty());
    ASSERT_EQ(batch.encoded.size(), 12U);
    for (std::size_t slot = 0; slot < 12; ++slot) {
      const auto number = static_cast<std::size_t>(std::stoi(batch.names[slot]));
      const EncodedPicture& encoded = batch.encoded[slot];
      EXPECT_NE(number, 5U);
      if (number % 3 != 0) {
        EXPECT_EQ(encoded.bytes, set->items[number].picture);
        EXPECT_EQ(encoded.width, 60);
        EXPECT_EQ(encoded.height, 40);
        continue;
      }
      EXPECT_TRUE(encoded.bytes.empty());
      const auto row = static_cast<std::ptrdiff_t>(slot * 8 * 8 * 3);
      EXPECT_TRUE(std::equal(batch.image_bytes.begin() + row, batch.image_bytes.begin() + row + 192,
                             expected.image_bytes.begin() + row));
    }
  }
  EXPECT_EQ(leaving.counts().skipped, decoding.counts().skipped);
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

Item bare_picture(Picture picture, std::int64_t label) {
  Item item;
  item.decoded = std::move(picture);
  item.label = label;
  return item;
}

/// The red of a pixel says where it was across, its green where down, before it was moved.
std::uint8_t channel(const HostBatch& batch, std::size_t slot, int x, int y, std::size_t which) {
  return batch.image_bytes[(slot * 64 + static_cast<std::size_t>(8 * y + x)) * 3 + which];
}

TEST(LabelledImages, MovesWholePictures) {
  auto set = std::make_shared<MemorySet>(kind::labelled_images);
  for (int i = 0; i < 200; ++i) set->items.push_back(bare_picture(told_pixels(8, 8, i), i));
  PipelineSettings settings = settings_for_pictures(200);
  settings.floats = false;
  settings.augmentation = Augmentation::shifts;
  Pipeline pipeline(set, settings);
  const HostBatch& batch = pipeline.next();
  std::map<std::pair<int, int>, int> moves;
  for (std::size_t slot = 0; slot < 200; ++slot) {
    const Box& box = batch.boxes[slot];
    ++moves[{box.left, box.top}];
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 8; ++x) {
        const int across = box.left + (batch.flipped[slot] != 0 ? 7 - x : x);
        const int down = box.top + y;
        const bool inside = across >= 0 && across < 8 && down >= 0 && down < 8;
        // The mean of ImageNet's pictures is what is beyond.
        EXPECT_EQ(channel(batch, slot, x, y, 0), inside ? across : 124);
        EXPECT_EQ(channel(batch, slot, x, y, 1), inside ? down : 116);
        EXPECT_EQ(channel(batch, slot, x, y, 2), inside ? batch.labels[slot] : 104);
      }
    }
  }
  EXPECT_EQ(moves.size(), 9U) << "up to one of eight pixels, in both directions";
  for (const auto& [move, count] : moves) EXPECT_GT(count, 5);
  EXPECT_GT(std::ranges::count(batch.flipped, 1), 50);
  EXPECT_GT(std::ranges::count(batch.flipped, 0), 50);

  // The numbers are drawn as trainers in Python draw them: what is mirrored moves right and down.
  for (std::size_t slot = 0; slot < 200; ++slot) {
    ItemChances chances(settings.seed, "crop", 0, batch.labels[slot]);
    EXPECT_EQ(batch.flipped[slot] != 0, chances.one_in_two());
    const auto right = static_cast<int>(chances.integer(3)) - 1;
    const auto down = static_cast<int>(chances.integer(3)) - 1;
    const int column = batch.flipped[slot] != 0 ? 7 - (4 - right) : 4 - right;
    EXPECT_EQ(channel(batch, slot, 4, 4, 0), column);
    EXPECT_EQ(channel(batch, slot, 4, 4, 1), 4 - down);
  }

  Pipeline again(set, settings);
  EXPECT_EQ(again.next().image_bytes, batch.image_bytes);
  const Bytes first = batch.image_bytes;
  EXPECT_NE(pipeline.next().image_bytes, first) << "epochs are alike";
}

TEST(LabelledImages, ShowsWholePicturesWhereNothingIsCropped) {
  auto set = std::make_shared<MemorySet>(kind::labelled_images);
  set->items.push_back(bare_picture(told_pixels(8, 8, 3), 0));
  PipelineSettings settings = settings_for_pictures(1);
  settings.floats = false;
  const auto first = [&](Augmentation augmentation, bool evaluation) {
    settings.augmentation = augmentation;
    settings.evaluation = evaluation;
    return Pipeline(set, settings).next().image_bytes;
  };
  EXPECT_EQ(first(Augmentation::none, false), set->items[0].decoded.pixels);
  EXPECT_EQ(first(Augmentation::none, true), set->items[0].decoded.pixels);
  EXPECT_EQ(first(Augmentation::shifts, true), set->items[0].decoded.pixels);
  EXPECT_NE(first(Augmentation::resized_crops, true), set->items[0].decoded.pixels);
}

TEST(LabelledImages, LeavesTheShareThatIsAskedFor) {
  auto set = std::make_shared<MemorySet>(kind::labelled_images);
  for (int i = 0; i < 12; ++i) {
    Item item;
    item.picture = encode_jpeg(told_pixels(60, 40, i));
    item.label = i;
    set->items.push_back(item);
  }
  PipelineSettings settings = settings_for_pictures(12);
  settings.floats = false;
  Pipeline decoding(set, settings);
  const Bytes expected = decoding.next().image_bytes;
  for (const auto& [share, left] : {std::pair(0.25, 3), {0.5, 6}, {0.7, 8}, {1.0, 12}}) {
    settings.encoded_share = share;
    Pipeline pipeline(set, settings);
    const HostBatch& batch = pipeline.next();
    int encoded = 0;
    for (std::size_t slot = 0; slot < 12; ++slot) {
      if (!batch.encoded.at(slot).bytes.empty()) {
        ++encoded;
        continue;
      }
      const auto row = static_cast<std::ptrdiff_t>(slot * 8 * 8 * 3);
      EXPECT_TRUE(std::equal(batch.image_bytes.begin() + row, batch.image_bytes.begin() + row + 192,
                             expected.begin() + row));
    }
    EXPECT_EQ(encoded, left);
  }
}

TEST(LabelledImages, LeavesNoPictureToADeviceThatItWouldMove) {
  auto set = std::make_shared<MemorySet>(kind::labelled_images);
  Item item;
  item.picture = encode_jpeg({96, 96, 3, Bytes(96 * 96 * 3, 90)});
  item.label = 0;
  set->items.push_back(item);
  PipelineSettings settings = settings_for_pictures(1);
  settings.floats = false;
  settings.encoded_share = 1;
  const auto is_left = [&] { return !Pipeline(set, settings).next().encoded[0].bytes.empty(); };
  EXPECT_TRUE(is_left());
  settings.augmentation = Augmentation::shifts;
  EXPECT_FALSE(is_left());
}

TEST(LabelledImages, KnowsAugmentationsByTheNamesOfRecipes) {
  EXPECT_EQ(augmentation_named("resized-crops"), Augmentation::resized_crops);
  EXPECT_EQ(augmentation_named("shifts"), Augmentation::shifts);
  EXPECT_EQ(augmentation_named("none"), Augmentation::none);
  EXPECT_NE(user_error_of([] { augmentation_named("shift"); }).find("did you mean 'shifts'"),
            std::string::npos);
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
