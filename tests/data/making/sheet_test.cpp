#include "data/making/sheet.h"

#include <gtest/gtest.h>

#include "data/making/describe.h"
#include "data/making/small_set.h"
#include "data/pictures/decode.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

Picture sheet_of(const std::filesystem::path& path, const SheetSettings& settings) {
  Picture picture;
  Decoder().decode(contact_sheet(open_data_set(path), settings), picture);
  return picture;
}

TEST(Sheet, HasAPlaceForEveryPicture) {
  const TemporaryFolder folder;
  make_quietly(small_set("imagefolder", folder / "set"));
  const Picture sheet = sheet_of(folder / "set", {.items = 9, .width = 40, .height = 40});
  EXPECT_EQ(sheet.width, 4 + 3 * 44);
  EXPECT_EQ(sheet.height, 4 + 3 * 44);
  // Every place holds a picture, and between them is paper.
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const std::uint8_t* corner = sheet.row(row * 44) + 3 * column * 44;
      EXPECT_EQ(corner[0], 245);
      bool drawn = false;
      for (int y = 4; y < 44; ++y)
        for (int x = 4; x < 44; ++x) drawn |= sheet.row(row * 44 + y)[3 * (column * 44 + x)] != 245;
      EXPECT_TRUE(drawn) << row << ", " << column;
    }
  }
}

TEST(Sheet, FollowsTheSeed) {
  const TemporaryFolder folder;
  make_quietly(small_set("imagefolder", folder / "set"));
  const auto pixels = [&](std::uint64_t seed) {
    return sheet_of(folder / "set", {.items = 4, .seed = seed, .width = 32, .height = 32}).pixels;
  };
  EXPECT_EQ(pixels(1), pixels(1));
  EXPECT_NE(pixels(1), pixels(2));
}

TEST(Sheet, ShowsBothSidesAndClassesOfPixels) {
  const TemporaryFolder folder;
  make_quietly(small_set("cyclegan", folder / "pairs"));
  make_quietly(small_set("cityscapes", folder / "streets"));
  const SheetSettings settings = {.items = 2, .width = 32, .height = 32};
  EXPECT_EQ(sheet_of(folder / "pairs", settings).width, 4 + 2 * 36) << "two by two";
  EXPECT_EQ(sheet_of(folder / "streets", settings).height, 4 + 2 * 36);
}

TEST(Sheet, NeedsPicturesAndAFewOfThem) {
  const TemporaryFolder folder;
  make_quietly(small_set("token-lines", folder / "text"));
  make_quietly(small_set("imagefolder", folder / "set"));
  EXPECT_NE(user_error_of([&] { sheet_of(folder / "text", {}); }).find("have no pictures"),
            std::string::npos);
  EXPECT_NE(user_error_of([&] {
              sheet_of(folder / "set", {.items = 1000, .width = 1000, .height = 1000});
            }).find("fewer or smaller"),
            std::string::npos);
}

TEST(Describe, TellsSizesOfPicturesAndLengthsOfSentences) {
  const TemporaryFolder folder;
  MakeSettings settings = small_set("imagefolder", folder / "set");
  settings.items.numbers["width"] = 48;
  make_quietly(settings);
  const DataSetDescription pictures =
      describe_data_set(*open_data_set(folder / "set"), folder / "set");
  EXPECT_EQ(pictures.sampled, 12);
  ASSERT_TRUE(pictures.width && pictures.height);
  EXPECT_EQ(pictures.width->median, 48);
  EXPECT_EQ(pictures.height->most, 32);
  EXPECT_GT(pictures.mean_bytes, 300);
  EXPECT_FALSE(pictures.tokens);
  EXPECT_EQ(pictures.made_by, "a test");

  make_quietly(small_set("token-lines", folder / "text", 50));
  const DataSetDescription text =
      describe_data_set(*open_data_set(folder / "text"), folder / "text");
  ASSERT_TRUE(text.tokens && text.target);
  EXPECT_LT(text.tokens->least, text.tokens->most);
  EXPECT_FALSE(text.width);
}

}  // namespace
}  // namespace trainmark::data
