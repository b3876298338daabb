#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "data/formats/damaged_sets.h"
#include "data/formats/hdf5_writer.h"
#include "data/formats/picture_sets.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

using Numbers = std::vector<std::int32_t>;

/// Rows of `width` numbers (0: one dimension) in so many bytes each.
Hdf5Column hdf5_column(const std::string& name, std::uint64_t element_bytes, std::uint64_t width,
                       const Numbers& numbers) {
  Hdf5Column column = {name, element_bytes, width, {}};
  for (const std::int64_t number : numbers)
    for (std::uint64_t byte = 0; byte < element_bytes; ++byte)
      column.numbers.push_back(static_cast<std::uint8_t>(number >> (8 * byte)));
  return column;
}

/// Two rows: 4 of 5 tokens with a second sentence, and 2 without.
std::map<std::string, Hdf5Column> two_rows() {
  std::map<std::string, Hdf5Column> columns;
  for (const Hdf5Column& column :
       {hdf5_column("input_ids", 4, 5, {101, 103, 7, 102, 0, 101, 103, 0, 0, 0}),
        hdf5_column("input_mask", 1, 5, {1, 1, 1, 1, 0, 1, 1, 0, 0, 0}),
        hdf5_column("segment_ids", 1, 5, {0, 0, 1, 1, 0, 0, 0, 0, 0, 0}),
        hdf5_column("masked_lm_positions", 4, 3, {1, 2, 0, 1, 0, 0}),
        hdf5_column("masked_lm_ids", 4, 3, {2000, 7, 0, 30521, 0, 0}),
        hdf5_column("next_sentence_labels", 1, 0, {1, 0})})
    columns[column.name] = column;
  return columns;
}

class BertFiles : public testing::TestWithParam<Hdf5Packing> {
 protected:
  std::unique_ptr<DataSet> open(const std::map<std::string, Hdf5Column>& by_name) {
    std::vector<Hdf5Column> columns;
    for (const auto& [name, column] : by_name) columns.push_back(column);
    put_file(path_, make_hdf5(columns, GetParam()));
    return open_data_set(path_);
  }
  /// What is wrong with the second row of `two_rows` when one dataset is replaced.
  std::string bad_with(const Hdf5Column& column) {
    auto columns = two_rows();
    columns[column.name] = column;
    const auto set = open(columns);
    return trouble_with(*set, 1);
  }
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "wiki_training_0.hdf5";
};

INSTANTIATE_TEST_SUITE_P(Packed, BertFiles,
                         testing::Values(Hdf5Packing::in_one_piece, Hdf5Packing::deflated));

TEST_P(BertFiles, GiveSentencesWithoutTheirPadding) {
  const auto set = open(two_rows());
  EXPECT_EQ(set->format(), "bert-hdf5");
  EXPECT_EQ(set->kind(), kind::masked_sentences);
  ASSERT_EQ(set->size(), 2);
  const Item first = item_of(*set, 0);
  EXPECT_EQ(first.name, "wiki_training_0.hdf5:0");
  EXPECT_EQ(first.tokens, (Numbers{101, 103, 7, 102}));
  EXPECT_EQ(first.positions, (Numbers{1, 2}));
  EXPECT_EQ(first.target, (Numbers{2000, 7}));
  EXPECT_EQ(first.split, 2);
  EXPECT_EQ(first.follows, 1);
  const Item second = item_of(*set, 1);
  EXPECT_EQ(second.tokens, (Numbers{101, 103}));
  EXPECT_EQ(second.positions, (Numbers{1}));
  EXPECT_EQ(second.target, (Numbers{30521}));
  EXPECT_EQ(second.split, 0);
  EXPECT_EQ(second.follows, 0);
}

TEST_P(BertFiles, WithRowsThatContradictThemselvesHaveBadItems) {
  EXPECT_EQ(bad_with(hdf5_column("input_ids", 4, 5, {1, 1, 1, 1, 1, -5, 1, 1, 1, 1})),
            "-5 is not a token id");
  const std::string mask = "its input_mask is not ones followed by zeros";
  EXPECT_EQ(bad_with(hdf5_column("input_mask", 1, 5, {1, 1, 1, 1, 0, 1, 0, 1, 0, 0})), mask);
  EXPECT_EQ(bad_with(hdf5_column("input_mask", 1, 5, {1, 1, 1, 1, 0, 0, 0, 0, 0, 0})), mask);
  EXPECT_EQ(bad_with(hdf5_column("input_mask", 1, 5, {1, 1, 1, 1, 0, 2, 0, 0, 0, 0})), mask);
  const std::string segments = "its segment_ids are not zeros followed by ones";
  EXPECT_EQ(bad_with(hdf5_column("segment_ids", 1, 5, {0, 0, 1, 1, 0, 1, 1, 0, 0, 0})), segments);
  EXPECT_EQ(bad_with(hdf5_column("segment_ids", 1, 5, {0, 0, 1, 1, 0, 0, 2, 0, 0, 0})), segments);
  EXPECT_EQ(bad_with(hdf5_column("masked_lm_positions", 4, 3, {1, 2, 0, 2, 0, 0})),
            "it masks token 2 of 2");
  EXPECT_EQ(bad_with(hdf5_column("masked_lm_positions", 4, 3, {1, 2, 0, -1, 0, 0})),
            "it masks token -1 of 2");
  EXPECT_EQ(bad_with(hdf5_column("masked_lm_positions", 4, 3, {1, 2, 0, 0, 1, 0})),
            "none of its tokens is masked");
  EXPECT_EQ(bad_with(hdf5_column("masked_lm_ids", 4, 3, {1, 2, 0, -2, 0, 0})),
            "-2 is not a token id");
  EXPECT_EQ(bad_with(hdf5_column("next_sentence_labels", 1, 0, {1, 2})),
            "its next_sentence_labels is 2, neither 0 nor 1");
}

TEST_P(BertFiles, AreRefusedWhereDatasetsAreMissingOrDiffer) {
  auto columns = two_rows();
  columns.erase("masked_lm_ids");
  EXPECT_TRUE(says(user_error_of([&] { open(columns); }),
                   "wiki_training_0.hdf5: there is no dataset 'masked_lm_ids'"));
  columns = two_rows();
  columns["next_sentence_labels"] = hdf5_column("next_sentence_labels", 1, 0, {1});
  EXPECT_TRUE(says(user_error_of([&] { open(columns); }), "differ in their number of rows"));
  columns = two_rows();
  columns["segment_ids"] = hdf5_column("segment_ids", 1, 4, {0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(says(user_error_of([&] { open(columns); }), "widths of its datasets do not match"));
}

TEST_P(BertFiles, ThatAreDamagedAreRefusedOrHaveBadItems) {
  open(two_rows());
  const DamageReport report = damage_file("bert-hdf5", path_, 100, 500);
  EXPECT_GE(report.refused, 100);  // none that is cut is read
  EXPECT_GT(report.bad_items, 0);
  EXPECT_GT(report.read_items, 300);
}

TEST_P(BertFiles, ThatAreCutOffSaySo) {
  open(two_rows());
  const std::string bytes = content_of(path_);
  put_file(path_, bytes.substr(0, bytes.size() - 1));
  EXPECT_TRUE(says(refusal_of(path_),
                   fmt::format("it has {} of its {} bytes", bytes.size() - 1, bytes.size())))
      << refusal_of(path_);
}

TEST_P(BertFiles, WithoutAllOfTheirChunksAreRefused) {
  if (GetParam() == Hdf5Packing::in_one_piece) return;
  open(two_rows());
  std::string bytes = content_of(path_);
  const std::size_t tree = bytes.find(std::string("TREE\x01\0\x01\0", 8));
  ASSERT_NE(tree, std::string::npos);
  bytes[tree + 6] = 0;  // its only chunk
  put_file(path_, bytes);
  EXPECT_TRUE(says(refusal_of(path_), "1 of the 1 chunks of a dataset are missing"))
      << refusal_of(path_);
}

std::vector<Item> sentences(int count) {
  std::vector<Item> items(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    Item& item = items[static_cast<std::size_t>(i)];
    for (int token = 0; token < 10 + i % 40; ++token) item.tokens.push_back(1000 + i + token);
    item.positions = {1, 3 + i % 7};
    item.target = {i, 30000 + i};
    item.split = i % 3 == 0 ? 0 : 2 + i % 5;
    item.follows = i % 2;
  }
  return items;
}

void expect_same(const Item& item, const Item& expected) {
  EXPECT_EQ(item.tokens, expected.tokens);
  EXPECT_EQ(item.positions, expected.positions);
  EXPECT_EQ(item.target, expected.target);
  EXPECT_EQ(item.split, expected.split);
  EXPECT_EQ(item.follows, expected.follows);
}

TEST(BertSets, AreReadAsTheyWereWritten) {
  const TemporaryFolder folder;
  const std::vector<Item> items = sentences(5000);
  // More rows than 64 chunks of 64 hold.
  const auto set = round_trip("bert-hdf5", {folder.path(), kind::masked_sentences, 0, 4500}, items);
  EXPECT_TRUE(std::filesystem::exists(folder / "train-00001.hdf5"));
  ASSERT_EQ(set->size(), 5000);
  for (std::int64_t i = 0; i < set->size(); i += 7)
    expect_same(item_of(*set, i), items[static_cast<std::size_t>(i)]);
}

TEST(BertSets, AreReadByManyThreads) {
  const TemporaryFolder folder;
  const std::vector<Item> items = sentences(2000);
  const auto set = round_trip("bert-hdf5", {folder.path(), kind::masked_sentences, 0, 500}, items);
  std::vector<std::jthread> threads;
  for (std::int64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      Item item;
      for (std::int64_t i = thread; i < set->size(); i += 4) {
        const std::int64_t index = i * 997 % set->size();
        set->read(index, item);
        expect_same(item, items[static_cast<std::size_t>(index)]);
      }
    });
}

}  // namespace
}  // namespace trainmark::data
