#include <fmt/format.h>

#include <cstring>

#include "data/formats/crc32c.h"
#include "data/formats/tf_example.h"
#include "data/formats/tf_records.h"
#include "picture_sets.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

/// A protobuf field that has a length, below 128.
std::string field_of(int number, const std::string& content) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} +
         content;
}

/// An entry of the features: list 1 holds texts, 2 floats, 3 integers.
std::string feature_of(const std::string& key, int list, const std::string& values) {
  return field_of(1, field_of(1, key) + field_of(2, field_of(list, values)));
}

std::string text_values(const std::string& text) {
  return field_of(1, text);
}
std::string packed_values(const std::string& bytes) {
  return field_of(1, bytes);
}
std::string unpacked_value(char value) {
  return std::string{'\x08', value};
}

std::string framed(const std::string& record) {
  const Bytes bytes =
      frame_tf_record({reinterpret_cast<const std::uint8_t*>(record.data()), record.size()});
  return {bytes.begin(), bytes.end()};
}

class TfRecordTest : public testing::Test {
 protected:
  /// A set of these records, each with these features.
  std::unique_ptr<DataSet> set_of(const std::vector<std::string>& features) {
    std::string content;
    for (const std::string& text : features) content += framed(field_of(1, text));
    put_file(path_, content);
    return open_data_set(path_);
  }

  /// One that can be read stands in front: a set without any is refused.
  std::string trouble_of(const std::string& features) {
    return trouble_with(*set_of({good_, features}), 1);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.tfrecord";
  std::string good_ =
      feature_of("image", 1, text_values("p")) + feature_of("label", 3, unpacked_value(2));
};

TEST_F(TfRecordTest, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  std::vector<Item> items;
  for (int number = 0; number < 5; ++number)
    items.push_back(labelled(
        number == 2 ? png_like("y") : jpeg_like(std::string(number * 1000, 'x')), 200 * number));
  const auto set = round_trip(
      "tfrecord", {.folder = folder.path(), .kind = kind::labelled_images, .items_per_shard = 2},
      items);
  expect_same_items(*set, items);
  EXPECT_EQ(set->classes(), 801);
  EXPECT_EQ(names_in(folder.path()),
            (std::vector<std::string>{"train-00000-of-00003", "train-00001-of-00003",
                                      "train-00002-of-00003"}));
  EXPECT_EQ(item_of(*set, 3).name, "train-00001-of-00003:1");
}

TEST_F(TfRecordTest, HasFeaturesUnderTheNamesOfTensorFlowAndOthers) {
  const auto set = set_of({
      feature_of("image/class/label", 3, packed_values("\x05")) +
          feature_of("image/height", 3, unpacked_value(9)) +
          feature_of("image/encoded", 1, text_values("first")) +
          feature_of("image/filename", 1, text_values("x.jpg")),
      feature_of("image", 1, text_values("second")) +
          feature_of("label", 3, packed_values(std::string("\x84\x01"))),
      feature_of("label", 3, unpacked_value(1)) +
          feature_of("image/class/label", 3, unpacked_value(3)) +
          feature_of("image", 1, text_values("p")),
  });
  EXPECT_EQ(item_of(*set, 0).label, 5);
  EXPECT_EQ(item_of(*set, 0).picture, Bytes({'f', 'i', 'r', 's', 't'}));
  EXPECT_EQ(item_of(*set, 1).label, 132);
  EXPECT_EQ(item_of(*set, 1).picture, Bytes({'s', 'e', 'c', 'o', 'n', 'd'}));
  EXPECT_EQ(item_of(*set, 2).label, 3);
  EXPECT_EQ(set->classes(), 133);
}

TEST_F(TfRecordTest, NamesRecordsWithoutOnePictureAndOneLabel) {
  const std::string picture = feature_of("image", 1, text_values("p"));
  EXPECT_EQ(trouble_of(picture), "no feature 'image/class/label' or 'label'");
  EXPECT_EQ(trouble_of(feature_of("label", 3, unpacked_value(1))),
            "no feature 'image/encoded' or 'image'");
  EXPECT_EQ(trouble_of(picture + feature_of("label", 3, packed_values("\x01\x02"))),
            "the feature of its label is not one integer");
  EXPECT_EQ(trouble_of(picture + feature_of("label", 2, packed_values("1234"))),
            "the feature of its label is not one integer");
  EXPECT_EQ(
      trouble_of(picture +
                 feature_of("label", 3, packed_values("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))),
      "its label is -1");
  EXPECT_EQ(trouble_of(feature_of("image", 3, unpacked_value(1)) +
                       feature_of("label", 3, unpacked_value(1))),
            "the feature of its picture is not one string of bytes");
  EXPECT_EQ(trouble_of("\x0a\x7f"), "damaged: a field is longer than what it is part of");
  EXPECT_EQ(trouble_of("\x0b"), "damaged: a field of a kind that is not used");
  EXPECT_EQ(trouble_of("\xff\xff"), "damaged: a number without an end");
}

TEST_F(TfRecordTest, TellsDamageByTheSums) {
  set_of({good_, good_, good_});
  std::string content = content_of(path_);
  const std::size_t record = content.size() / 3;
  content[record + record - 8] ^= 1;  // a byte of the second
  put_file(path_, content);
  const auto set = open_data_set(path_);
  ASSERT_EQ(set->size(), 3);
  EXPECT_EQ(trouble_with(*set, 1), "its bytes do not fit their sum (CRC-32C)");
  EXPECT_EQ(item_of(*set, 2).label, 2);
  content[record] ^= 1;  // its length
  put_file(path_, content);
  EXPECT_TRUE(says(refusal_of(path_),
                   fmt::format("a.tfrecord: damaged at byte {}: the length of a record", record)))
      << refusal_of(path_);
}

TEST_F(TfRecordTest, LosesOnlyTheLastRecordOfATruncatedFile) {
  set_of({good_, good_});
  const std::string content = content_of(path_);
  for (const std::size_t missing :
       {std::size_t{1}, std::size_t{5}, content.size() / 2 - 13, content.size() / 2 - 5}) {
    put_file(path_, std::string_view(content).substr(0, content.size() - missing));
    const auto set = open_data_set(path_);
    ASSERT_EQ(set->size(), 2) << missing;
    EXPECT_EQ(trouble_with(*set, 0), "");
    EXPECT_TRUE(says(trouble_with(*set, 1), "truncated")) << trouble_with(*set, 1);
  }
}

TEST_F(TfRecordTest, IsRefusedWhereALengthIsThatOfNoItem) {
  // A length beyond the file, with a sum that fits: a damaged one would not have it.
  Bytes head(12, 0);
  head[7] = 0x40;
  const std::uint32_t sum = masked_crc32c(BytesView(head).first(8));
  std::memcpy(head.data() + 8, &sum, sizeof sum);
  set_of({good_});
  put_file(path_, content_of(path_) + std::string(head.begin(), head.end()) + "xxxx");
  const auto set = open_data_set(path_);
  ASSERT_EQ(set->size(), 2);
  EXPECT_TRUE(says(trouble_with(*set, 1), "no item may have more")) << trouble_with(*set, 1);
}

TEST_F(TfRecordTest, IsRefusedWhereItIsCompressedOrHoldsNoPictures) {
  put_file(path_, "\x1f\x8b and so on, long enough");
  EXPECT_TRUE(says(refusal_of(path_), "a.tfrecord: it seems to be compressed"))
      << refusal_of(path_);
  put_file(path_, framed("\x0a"));
  EXPECT_TRUE(says(refusal_of(path_), "no record in it has a picture and a label"))
      << refusal_of(path_);
}

TEST_F(TfRecordTest, IsTheShardsForTraining) {
  put_file(folder_ / "train-00000-of-00001", framed(field_of(1, good_)));
  put_file(folder_ / "validation-00000-of-00001", framed(field_of(1, good_)));
  put_file(folder_ / "model.data-00000-of-00001", "a checkpoint");
  EXPECT_EQ(open_data_set(folder_.path())->size(), 1);
}

}  // namespace
}  // namespace trainmark::data
