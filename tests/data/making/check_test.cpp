#include "data/making/check.h"

#include <gtest/gtest.h>

#include "data/making/manifest.h"
#include "data/making/small_set.h"
#include "data/pictures/decode.h"
#include "data/pictures/encode.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

namespace fs = std::filesystem;

CheckedDataSet check_quietly(const fs::path& path) {
  return check_data_set(path, 2, [](std::string_view, std::int64_t, std::int64_t) {});
}

/// A folder of pictures, with a manifest.
class Check : public testing::Test {
 protected:
  Check() {
    make_quietly(small_set("imagefolder", set_));
    for (const auto& [name, content] : contents_below(set_))
      if (name.ends_with(".jpg")) names_.push_back(name);
  }

  const TemporaryFolder folder_;
  const fs::path set_ = folder_ / "set";
  std::vector<std::string> names_;
};

TEST_F(Check, FindsNothingInWhatIsAsItWasMade) {
  const CheckedDataSet checked = check_quietly(set_);
  EXPECT_TRUE(checked.is_sound());
  EXPECT_EQ(checked.items, 12);
  EXPECT_EQ(checked.misnamed.count, 0);
  EXPECT_GT(checked.bytes, 0);
  EXPECT_EQ(checked.class_names.size(), 3U);
}

TEST_F(Check, NamesAnItemInWhichOneBitHasTurned) {
  std::string content = read_file(set_ / names_[5], SIZE_MAX);
  content[content.size() - 20] ^= 1;
  write_file_atomically(set_ / names_[5], content);
  const CheckedDataSet checked = check_quietly(set_);
  EXPECT_FALSE(checked.is_sound());
  ASSERT_EQ(checked.changed.count, 1);
  EXPECT_EQ(checked.changed.first[0].name, names_[5]);
}

TEST_F(Check, NamesAnItemThatIsGoneAndOneThatWasAdded) {
  const std::string other = fs::path(names_[2]).parent_path() / "other.jpg";
  fs::rename(set_ / names_[2], set_ / other);
  const CheckedDataSet checked = check_quietly(set_);
  EXPECT_EQ(checked.missing.count, 1);
  EXPECT_EQ(checked.added.count, 1);
  EXPECT_EQ(checked.changed.count, 0) << "all others are as they were";
  EXPECT_EQ(checked.missing.first.at(0).name, names_[2]);
  EXPECT_EQ(checked.added.first.at(0).name, other);
  EXPECT_FALSE(checked.is_sound());
}

TEST_F(Check, NamesAPictureThatIsNowOfAnotherClass) {
  const std::string other = fs::path(names_.back()).parent_path() / "9999999.jpg";
  fs::rename(set_ / names_.front(), set_ / other);
  const CheckedDataSet checked = check_quietly(set_);
  EXPECT_EQ(checked.missing.first.at(0).name, names_.front());
  EXPECT_EQ(checked.per_class, (std::vector<std::int64_t>{3, 4, 5}));
}

TEST_F(Check, NamesWhatCannotBeReadWithTheReasonAndReadsTheRest) {
  fs::remove(set_ / manifest_name);
  write_file_atomically(set_ / names_[1], "this is a text\n");
  const std::string content = read_file(set_ / names_[7], SIZE_MAX);
  write_file_atomically(set_ / names_[7], content.substr(0, content.size() / 2));
  write_file_atomically(set_ / names_[9], "");
  const CheckedDataSet checked = check_quietly(set_);
  EXPECT_FALSE(checked.is_sound());
  ASSERT_EQ(checked.unreadable.count, 3);
  constexpr std::size_t damaged[] = {1, 7, 9};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(checked.unreadable.first[i].name, names_[damaged[i]]);
    EXPECT_FALSE(checked.unreadable.first[i].reason.empty());
  }
  EXPECT_TRUE(checked.made_by.empty());
}

TEST_F(Check, APictureWithAWrongExtensionIsNamedAndIsNoFault) {
  fs::remove(set_ / manifest_name);
  Picture picture;
  const std::string jpeg = read_file(set_ / names_[3], SIZE_MAX);
  Decoder().decode({reinterpret_cast<const std::uint8_t*>(jpeg.data()), jpeg.size()}, picture);
  const Bytes png = encode_png(picture);
  write_file_atomically(set_ / names_[3], {reinterpret_cast<const char*>(png.data()), png.size()});
  const CheckedDataSet checked = check_quietly(set_);
  EXPECT_TRUE(checked.is_sound());
  ASSERT_EQ(checked.misnamed.count, 1);
  EXPECT_EQ(checked.misnamed.first[0].name, names_[3]);
  EXPECT_EQ(checked.misnamed.first[0].reason, "it is a png");
}

TEST_F(Check, CountsAllFaultsAndNamesTheFirst) {
  MakeSettings settings = small_set("imagefolder", folder_ / "many", 30);
  make_quietly(settings);
  for (const auto& [name, content] : contents_below(folder_ / "many"))
    if (name.ends_with(".jpg")) write_file_atomically(folder_ / "many" / name, "no picture");
  const CheckedDataSet checked = check_quietly(folder_ / "many");
  EXPECT_EQ(checked.unreadable.count, 30);
  EXPECT_EQ(checked.unreadable.first.size(), 10U);
}

TEST_F(Check, ADamagedManifestIsRefusedWithItsName) {
  for (const char* text :
       {"", "[1]", "{\"checksum\":\"crc32\",\"checksums\":[\"zz\"]}",
        "{\"checksum\":\"crc32\",\"checksums\":[17]}", "{\"checksum\":\"crc32\",\"checksums\":{}}",
        R"({"checksum":"crc32","checksums":[],"evaluation_checksums":5})",
        R"({"checksum":"crc32","checksums":[],"evaluation_checksums":["zz"]})",
        R"({"checksum":"crc32","checksums":[],"attainable":0.9})",
        R"({"checksum":"crc32","checksums":[],"attainable":{"quality":"x"}})"}) {
    write_file_atomically(set_ / manifest_name, text);
    const std::string words = user_error_of([&] { check_quietly(set_); });
    EXPECT_NE(words.find(manifest_name), std::string::npos) << text << ": " << words;
  }
}

TEST(CheckPixels, LabelsMustFitThePictureAndTheClasses) {
  const TemporaryFolder folder;
  make_quietly(small_set("cityscapes", folder / "set", 3));
  std::vector<std::string> labels;
  for (const auto& [name, content] : contents_below(folder / "set"))
    if (name.find("gtFine") != std::string::npos && name.ends_with(".png")) labels.push_back(name);
  ASSERT_GE(labels.size(), 3U);
  const CheckedDataSet before = check_quietly(folder / "set");
  EXPECT_TRUE(before.is_sound());
  EXPECT_EQ(before.per_class.size(), 19U);
  fs::remove(folder / "set" / manifest_name);
  const Bytes small = encode_png({4, 4, 1, Bytes(16)});
  for (const std::string& name : labels)
    write_file_atomically(folder / "set" / name,
                          {reinterpret_cast<const char*>(small.data()), small.size()});
  const CheckedDataSet checked = check_quietly(folder / "set");
  ASSERT_EQ(checked.unreadable.count, 3);
  EXPECT_NE(checked.unreadable.first[0].reason.find("its labels have 4 × 4"), std::string::npos)
      << checked.unreadable.first[0].reason;
}

TEST(CheckAnything, WhatIsNoDataSetIsRefused) {
  const TemporaryFolder folder;
  EXPECT_NE(user_error_of([&] { check_quietly(folder.path()); }), "");
  EXPECT_NE(user_error_of([&] { check_quietly(folder / "nothing"); }), "");
}

}  // namespace
}  // namespace trainmark::data
