#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "data/formats/recordio_records.h"
#include "picture_sets.h"
#include "temporary_folder.h"

namespace trainmark::data {
namespace {

/// A record whose head has this flag and label, and behind it more labels.
std::string packed_record(std::uint32_t flag, float label, const std::vector<float>& more,
                          const std::string& picture) {
  std::string record(24, '\0');
  std::memcpy(record.data(), &flag, 4);
  std::memcpy(record.data() + 4, &label, 4);
  for (const float number : more) record.append(reinterpret_cast<const char*>(&number), 4);
  return record + picture;
}

std::string framed_recordio(const std::string& record) {
  const Bytes bytes =
      frame_recordio_record({reinterpret_cast<const std::uint8_t*>(record.data()), record.size()});
  return {bytes.begin(), bytes.end()};
}

std::string as_text(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

class RecordIoTest : public testing::Test {
 protected:
  std::unique_ptr<DataSet> set_of(const std::vector<std::string>& records) {
    std::string content;
    for (const std::string& record : records) content += framed_recordio(record);
    put_file(path_, content);
    return open_data_set(path_);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "train.rec";
};

TEST_F(RecordIoTest, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  std::vector<Item> items;
  for (int number = 0; number < 6; ++number)
    items.push_back(
        labelled(jpeg_like(std::string(static_cast<std::size_t>(number * 7), 'x')), 11 * number));
  const auto set =
      round_trip("recordio", {.folder = folder.path(), .kind = kind::labelled_images}, items);
  expect_same_items(*set, items);
  EXPECT_EQ(set->classes(), 56);
  EXPECT_EQ(item_of(*set, 3).name, "train.rec:3");
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"train.idx", "train.rec"}));
  std::filesystem::remove(folder / "train.idx");
  expect_same_items(*open_data_set(folder.path()), items);
}

TEST_F(RecordIoTest, PutsRecordsOfSeveralPartsTogether) {
  const std::string mark("\x0a\x23\xd7\xce", 4);
  const std::string picture = "four" + mark + mark + "more" + "not" + mark + "x" + mark;
  const std::string record = packed_record(0, 7, {}, picture);
  const std::string content = framed_recordio(record);
  // Four parts: the mark in "not" + mark is at no multiple of four bytes, the last one is again.
  EXPECT_EQ(static_cast<unsigned char>(content[7]) >> 5, 1);
  put_file(path_, content + framed_recordio(packed_record(0, 1, {}, "next")));
  for (const bool with_index : {false, true}) {
    if (with_index) put_file(folder_ / "train.idx", fmt::format("0\t0\n1\t{}\n", content.size()));
    const auto set = open_data_set(path_);
    ASSERT_EQ(set->size(), 2);
    EXPECT_EQ(as_text(item_of(*set, 0).picture), picture);
    EXPECT_EQ(item_of(*set, 0).label, 7);
    EXPECT_EQ(as_text(item_of(*set, 1).picture), "next");
  }
}

TEST_F(RecordIoTest, OfFacesHasPicturesUpToTheIdentities) {
  const auto set = set_of({packed_record(2, 0, {4, 6}, ""), packed_record(0, 0, {}, "a"),
                           packed_record(2, 0, {1, 1}, "b"), packed_record(0, 1, {}, "c"),
                           packed_record(2, 0, {1, 2}, ""), packed_record(2, 0, {2, 4}, "")});
  ASSERT_EQ(set->size(), 3);
  EXPECT_EQ(set->classes(), 2);
  EXPECT_EQ(as_text(item_of(*set, 0).picture), "a");
  EXPECT_EQ(item_of(*set, 0).label, 0);
  EXPECT_EQ(item_of(*set, 0).name, "train.rec:1");
  EXPECT_EQ(as_text(item_of(*set, 1).picture), "b");
  EXPECT_EQ(item_of(*set, 1).label, 1);
  EXPECT_EQ(as_text(item_of(*set, 2).picture), "c");
  set_of({packed_record(0, 1, {}, "a")});
  const std::string head = framed_recordio(packed_record(2, 0, {40, 60}, ""));
  put_file(path_, head + content_of(path_));
  EXPECT_TRUE(says(refusal_of(path_), "says that its pictures end at record 40, but it has 2"))
      << refusal_of(path_);
}

TEST_F(RecordIoTest, IsInTheOrderOfItsKeys) {
  const std::string first = framed_recordio(packed_record(0, 1, {}, "first"));
  put_file(path_, first + framed_recordio(packed_record(0, 2, {}, "second")));
  put_file(folder_ / "train.idx", fmt::format("10\t0\n9\t{}\n", first.size()));
  const auto set = open_data_set(path_);
  EXPECT_EQ(as_text(item_of(*set, 0).picture), "second");
  EXPECT_EQ(item_of(*set, 0).label, 2);
}

TEST_F(RecordIoTest, NamesRecordsThatCannotBeUsed) {
  const auto set = set_of(
      {packed_record(0, 1, {}, "p"), packed_record(0, 1.5F, {}, "p"), packed_record(0, -1, {}, "p"),
       packed_record(3, 0, {1, 2, 3}, "p"), packed_record(1000, 0, {1}, "p"), "short",
       packed_record(0, NAN, {}, "p"), packed_record(0, 1, {}, ""), packed_record(1, 9, {1}, "p")});
  ASSERT_EQ(set->size(), 9);
  EXPECT_EQ(trouble_with(*set, 1), "its label is 1.5, not an integer from 0 on");
  EXPECT_EQ(trouble_with(*set, 2), "its label is -1, not an integer from 0 on");
  EXPECT_EQ(trouble_with(*set, 3), "it has 3 labels, and one is wanted");
  EXPECT_EQ(trouble_with(*set, 4), "its head claims 1000 labels, more than fit");
  EXPECT_EQ(trouble_with(*set, 5), "shorter than the head of a picture");
  EXPECT_EQ(trouble_with(*set, 6), "its label is nan, not an integer from 0 on");
  EXPECT_EQ(trouble_with(*set, 7), "there is no picture in it");
  EXPECT_EQ(item_of(*set, 8).label, 1);
  EXPECT_EQ(set->classes(), 2);
}

TEST_F(RecordIoTest, LosesOnlyTheLastRecordOfATruncatedFile) {
  set_of({packed_record(0, 1, {}, "first"), packed_record(0, 2, {}, "second")});
  const std::string content = content_of(path_);
  for (const std::size_t missing : {3, 30, 39}) {
    put_file(path_, std::string_view(content).substr(0, content.size() - missing));
    const auto set = open_data_set(path_);
    ASSERT_EQ(set->size(), 2) << missing;
    EXPECT_EQ(item_of(*set, 0).label, 1);
    EXPECT_TRUE(says(trouble_with(*set, 1), "truncated")) << trouble_with(*set, 1);
  }
}

TEST_F(RecordIoTest, IsRefusedWithThePlaceOfDamage) {
  set_of({packed_record(0, 1, {}, "p"), packed_record(0, 1, {}, "p")});
  std::string content = content_of(path_);
  content[4] = 8;  // the first is said to be shorter than it is
  put_file(path_, content);
  EXPECT_TRUE(says(refusal_of(path_), "train.rec: damaged at byte 16: no record begins there"))
      << refusal_of(path_);
  // With an index, each record stands for itself.
  put_file(folder_ / "train.idx", "0\t0\n1\t36\n2\t17\n3\t99999\n");
  const auto set = open_data_set(path_);
  EXPECT_EQ(trouble_with(*set, 0), "shorter than the head of a picture");
  EXPECT_EQ(trouble_with(*set, 1), "");
  EXPECT_EQ(trouble_with(*set, 2), "there is no record at byte 17");
  EXPECT_EQ(trouble_with(*set, 3), "truncated at the end of its file");
  put_file(folder_ / "train.idx", "0\t0\n1 36\n");
  EXPECT_TRUE(says(refusal_of(path_), "train.idx:2: not a key, a tab and a place"))
      << refusal_of(path_);
}

TEST_F(RecordIoTest, IsBoundedWherePartsHaveNoEnd) {
  const std::string mark("\x0a\x23\xd7\xce", 4);
  const std::string start = mark + std::string("\x18\x00\x00\x20", 4) + packed_record(0, 1, {}, "");
  put_file(path_, framed_recordio(packed_record(0, 1, {}, "p")) + start + mark +
                      std::string("\xff\xff\xff\x5f", 4));
  const auto set = open_data_set(path_);
  EXPECT_EQ(trouble_with(*set, 1), "its parts are longer than their file or than any item");
}

}  // namespace
}  // namespace trainmark::data
