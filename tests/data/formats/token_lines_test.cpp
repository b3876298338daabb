#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/formats/damaged_sets.h"
#include "data/formats/picture_sets.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

using Ids = std::vector<std::int32_t>;

class LinesOfTokens : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(LinesOfTokens, AreSourceTabTarget) {
  put_file(folder_ / "train.tsv", "1 2  3\t4 5\n10\t2147483647 12 \r\n7\t8");
  const auto set = open_data_set(folder_ / "train.tsv");
  EXPECT_EQ(set->format(), "token-lines");
  EXPECT_EQ(set->kind(), kind::sentence_pairs);
  ASSERT_EQ(set->size(), 3);
  const Item first = item_of(*set, 0);
  EXPECT_EQ(first.name, "train.tsv:1");
  EXPECT_EQ(first.tokens, (Ids{1, 2, 3}));
  EXPECT_EQ(first.target, (Ids{4, 5}));
  EXPECT_EQ(item_of(*set, 1).target, (Ids{2147483647, 12}));
  EXPECT_EQ(item_of(*set, 2).tokens, (Ids{7}));  // no line end
  EXPECT_EQ(set->source_length(0), 3);
  EXPECT_EQ(set->length(0), 2);
  EXPECT_EQ(set->source_length(1), 1);
  EXPECT_EQ(set->length(1), 2);
}

TEST_F(LinesOfTokens, AreTwoFilesSideBySide) {
  put_file(folder_ / "train.src",
           "\xEF\xBB\xBF"
           "1 2\n3\n");
  put_file(folder_ / "train.tgt", "4\n5 6 7\n");
  put_file(folder_ / "valid.src", "9\n");
  put_file(folder_ / "valid.tgt", "9\n");
  for (const auto& path : {folder_.path(), folder_ / "train.src", folder_ / "train.tgt"}) {
    const auto set = open_data_set(path);
    ASSERT_EQ(set->size(), 2) << path;
    EXPECT_EQ(item_of(*set, 0).tokens, (Ids{1, 2}));
    EXPECT_EQ(item_of(*set, 1).target, (Ids{5, 6, 7}));
    EXPECT_EQ(set->length(1), 3);
    EXPECT_EQ(set->source_length(1), 1);
  }
  put_file(folder_ / "train.src", "\xEF\xBB\xBF 1 2\n3\n");  // a word of its own, if it were one
  EXPECT_EQ(open_data_set(folder_.path())->source_length(0), 2);
  put_file(folder_ / "train.tgt", "4\n");
  EXPECT_TRUE(says(refusal_of(folder_.path()), "train.src has 2 lines, but train.tgt has 1"));
  std::filesystem::remove(folder_ / "train.tgt");
  EXPECT_TRUE(says(refusal_of(folder_.path()), "train.tgt"));
}

TEST_F(LinesOfTokens, ThatAreBadAreNamedByTheirNumber) {
  put_file(folder_ / "a.ids",
           "1\t2\n\n1 2\n\t3\n3\t \n1x\t2\n-1\t2\n1\t2147483648\n1\t2\t3\n+1\t2\n");
  const auto set = open_data_set(folder_ / "a.ids");
  ASSERT_EQ(set->size(), 10);
  EXPECT_EQ(trouble_with(*set, 0), "");
  EXPECT_TRUE(says(trouble_with(*set, 1), "there is no tab"));
  EXPECT_TRUE(says(trouble_with(*set, 2), "there is no tab"));
  EXPECT_EQ(trouble_with(*set, 3), "its source is empty");
  EXPECT_EQ(trouble_with(*set, 4), "its target is empty");
  EXPECT_TRUE(says(trouble_with(*set, 5), "'1x' in its source is not a token id"));
  EXPECT_TRUE(says(trouble_with(*set, 6), "'-1'"));
  EXPECT_TRUE(says(trouble_with(*set, 7), "'2147483648' in its target"));
  EXPECT_TRUE(says(trouble_with(*set, 8), "in its target is not a token id"));
  EXPECT_TRUE(says(trouble_with(*set, 9), "'+1'"));
  Item item;
  EXPECT_THROW(set->read(5, item), BadItem);
  EXPECT_EQ(item.name, "a.ids:6");
}

TEST_F(LinesOfTokens, AreNotLongerThanAMebibyte) {
  std::string longer = "1";
  while (longer.size() < (1 << 20)) longer += " 1";
  put_file(folder_ / "a.tsv", "1\t2\n" + longer + "\t2\n3\t4\n");
  const auto set = open_data_set(folder_ / "a.tsv");
  ASSERT_EQ(set->size(), 3);
  EXPECT_TRUE(says(trouble_with(*set, 1), "more than 1048576")) << trouble_with(*set, 1);
  EXPECT_EQ(item_of(*set, 2).target, (Ids{4}));
}

TEST_F(LinesOfTokens, AreToldFromOtherTables) {
  const auto recognizes = Registry<Format>::find("token-lines")->recognizes;
  put_file(folder_ / "names.tsv", "Ann\t12\nBert\t13\n");
  EXPECT_FALSE(recognizes(folder_ / "names.tsv"));
  EXPECT_FALSE(recognizes(folder_.path()));
  put_file(folder_ / "with_heads.tsv", "source\ttarget\n1 2\t3\n");
  EXPECT_TRUE(recognizes(folder_ / "with_heads.tsv"));
  EXPECT_TRUE(recognizes(folder_.path()));
}

TEST_F(LinesOfTokens, AreReadAsTheyWereWritten) {
  std::vector<Item> items;
  for (std::int32_t i = 0; i < 5; ++i) {
    items.emplace_back();
    items.back().tokens.assign(static_cast<std::size_t>(i + 1), 30000 + i);
    items.back().target = {i, 2147483647 - i};
  }
  const auto set = round_trip("token-lines", {folder_.path(), kind::sentence_pairs, 0, 2}, items);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "train-00002.tsv"));
  ASSERT_EQ(set->size(), 5);
  for (std::int64_t i = 0; i < 5; ++i) {
    const Item item = item_of(*set, i);
    EXPECT_EQ(item.tokens, items[static_cast<std::size_t>(i)].tokens);
    EXPECT_EQ(item.target, items[static_cast<std::size_t>(i)].target);
    EXPECT_EQ(set->source_length(i), i + 1);
    EXPECT_EQ(set->length(i), 2);
  }
}

TEST_F(LinesOfTokens, ThatAreDamagedAreBadItems) {
  const auto path = folder_ / "a.tsv";
  std::string lines;
  for (int i = 0; i < 50; ++i) lines += fmt::format("{} {}\t{}\n", i, i * i, i + 5);
  put_file(path, lines);
  const DamageReport report = damage_file("token-lines", path, 50, 200);
  EXPECT_EQ(report.refused, 1);  // the empty file
  EXPECT_GT(report.bad_items, 100);
  EXPECT_GT(report.read_items, 5000);
}

}  // namespace
}  // namespace trainmark::data
