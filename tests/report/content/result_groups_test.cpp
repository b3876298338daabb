#include "report/content/result_groups.h"

#include <gtest/gtest.h>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

/// "128: a=128 b=96" for each row.
std::vector<std::string> rows_of(const SampleJournal& journal) {
  const std::vector<Result> results = results_of(journal.contents);
  const auto groups = group_results(results);
  std::vector<std::string> texts;
  for (const MatrixRow& row : matrix_rows(groups.at(0).precisions.at(0))) {
    std::string text = row.label("cuda") + ":";
    for (const auto& [framework, result] : row.results)
      text += fmt::format(" {}={}", framework, result->cell.batch);
    texts.push_back(text);
  }
  return texts;
}

SampleJournal with(const std::vector<std::pair<std::string, int>>& cells) {
  SampleJournal journal;
  for (const auto& [framework, batch] : cells)
    journal.good(SampleJournal::cell("resnet50", framework, batch), 100);
  return journal;
}

using Lines = std::vector<std::string>;

TEST(ResultGroups, TheSameBatchSharesARow) {
  EXPECT_EQ(rows_of(with({{"a", 32}, {"a", 48}, {"b", 32}, {"b", 48}})),
            (Lines{"GPU=1,BS=32: a=32 b=32", "GPU=1,BS=48: a=48 b=48"}));
}

TEST(ResultGroups, ASmallerBatchSharesTheRowOfTheOthers) {
  EXPECT_EQ(rows_of(with({{"a", 96}, {"b", 128}, {"c", 128}, {"d", 96}})),
            (Lines{"GPU=1,BS=128: a=96 b=128 c=128 d=96"}));
  EXPECT_EQ(rows_of(with({{"a", 128}, {"a", 208}, {"b", 128}, {"b", 256}, {"c", 128}, {"c", 248}})),
            (Lines{"GPU=1,BS=128: a=128 b=128 c=128", "GPU=1,BS=256: a=208 b=256 c=248"}));
}

TEST(ResultGroups, HalfTheBatchIsARowOfItsOwn) {
  EXPECT_EQ(rows_of(with({{"a", 64}, {"b", 32}})),
            (Lines{"GPU=1,BS=32: b=32", "GPU=1,BS=64: a=64"}));
  EXPECT_EQ(rows_of(with({{"a", 48}, {"a", 32}, {"b", 32}})),
            (Lines{"GPU=1,BS=32: a=32 b=32", "GPU=1,BS=48: a=48"}));
}

TEST(ResultGroups, RowsGoByRanks) {
  SampleJournal journal;
  for (const char* scale : {"2n8g", "1n1g", "1n8g", "2n2g"})
    journal.good(SampleJournal::cell("resnet50", "a", 16, scale), 100);
  EXPECT_EQ(rows_of(journal), (Lines{"GPU=1,BS=16: a=16", "GPU=4,BS=16: a=16", "GPU=8,BS=16: a=16",
                                     "GPU=16,BS=16: a=16"}));
}

TEST(ResultGroups, WorkloadsPrecisionsAndFrameworksInOrderOfAppearance) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "b", 16, "1n1g", "fp32"), 1)
      .good(SampleJournal::cell("bert", "a", 16), 1)
      .good(SampleJournal::cell("resnet50", "a", 16, "1n1g", "amp-fp16"), 1)
      .good(SampleJournal::cell("resnet50", "a", 16, "1n1g", "fp32", "cpu"), 1);
  const std::vector<Result> results = results_of(journal.contents);
  const auto groups = group_results(results);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].title(), "resnet50 full cuda");
  EXPECT_EQ(groups[0].frameworks, (std::vector<std::string>{"b", "a"}));
  ASSERT_EQ(groups[0].precisions.size(), 2u);
  EXPECT_EQ(groups[0].precisions[1].precision, "amp-fp16");
  EXPECT_EQ(groups[2].title(), "resnet50 full cpu");
}

}  // namespace
}  // namespace trainmark
