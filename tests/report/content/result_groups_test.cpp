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

/// The rows with what was skipped and published: "GPU=1,BS=128: a=96 -b *c=128".
std::vector<std::string> full_rows(const SampleJournal& journal,
                                   const std::vector<Result>& published = {}) {
  const std::vector<Result> results = results_of(journal.contents);
  auto groups = group_results(results);
  std::vector<const SkipRecord*> skipped;
  for (const SkipRecord& skip : journal.contents.skips) skipped.push_back(&skip);
  add_skipped(groups, skipped);
  add_published(groups, published);
  std::vector<std::string> texts;
  for (const PrecisionGroup& precision : groups.at(0).precisions) {
    for (const MatrixRow& row : matrix_rows(precision, wanted_batches(journal.contents.batches))) {
      std::string text = fmt::format("{} {}:", precision.precision, row.label("cuda"));
      for (const auto& [framework, result] : row.results)
        text += fmt::format(" {}={}", framework, result->cell.batch);
      for (const auto& [framework, skip] : row.skipped) text += " -" + framework;
      for (const auto& [framework, result] : row.published)
        text += fmt::format(" *{}={}", framework, result->cell.batch);
      texts.push_back(text);
    }
  }
  return texts;
}

TEST(ResultGroups, AWishedBatchIsTheRowHoweverFarItWasSteppedDown) {
  SampleJournal journal = with({{"a", 128}, {"b", 40}, {"c", 96}});
  for (const auto& [framework, batch] : {std::pair("b", 40), std::pair("c", 96)})
    journal.contents.batches.push_back(
        {SampleJournal::cell("resnet50", framework, batch), 3, "", 128});
  EXPECT_EQ(full_rows(journal), (Lines{"fp32 GPU=1,BS=128: a=128 b=40 c=96"}));
}

TEST(ResultGroups, OfASteppedDownBatchTheOneThatFitsIsShown) {
  SampleJournal journal = with({{"a", 96}});
  journal.failed(SampleJournal::cell("resnet50", "a", 128), "out-of-memory", "full");
  for (const int batch : {128, 96})
    journal.contents.batches.push_back({SampleJournal::cell("resnet50", "a", batch), 3, "", 128});
  EXPECT_EQ(full_rows(journal), (Lines{"fp32 GPU=1,BS=128: a=96"}));
}

TEST(ResultGroups, WhatWasSkippedHasItsPlace) {
  SampleJournal journal = with({{"a", 96}});
  journal.contents.skips = {{SampleJournal::cell("resnet50", "b", 128), "no GPU"},
                            {SampleJournal::cell("resnet50", "a", 128, "4n8g"), "one machine"},
                            {SampleJournal::cell("resnet50", "a", 128, "1n1g", "fp16"), "cannot"},
                            {SampleJournal::cell("resnet50", "a", 0), "no place"},
                            {SampleJournal::cell("resnet50", "a", 8, "1n1g", "fp32", "auto"), ""}};
  EXPECT_EQ(full_rows(journal), (Lines{"fp32 GPU=1,BS=128: a=96 -b", "fp32 GPU=32,BS=128: -a",
                                       "fp16 GPU=1,BS=128: -a"}));
  journal.contents.skips.push_back({SampleJournal::cell("resnet50", "a", 128), "out of memory"});
  EXPECT_EQ(full_rows(journal).at(0), "fp32 GPU=1,BS=96: a=96") << "another cell of the suite";
}

TEST(ResultGroups, PublishedFiguresOfTheSameKindStandBeside) {
  std::vector<PublishedFigure> figures(4);
  figures[0].cell = SampleJournal::cell("resnet50", "P", 128);
  figures[1].cell = SampleJournal::cell("resnet50", "P", 128, "1n1g", "tf32");
  figures[2].cell = SampleJournal::cell("bert", "P", 128);
  figures[3].cell = SampleJournal::cell("resnet50", "Q", 128);
  for (PublishedFigure& figure : figures) {
    figure.throughput = 10;
    figure.unit = "samples";
    figure.source = "a report";
  }
  figures[3].unit = "tokens";
  const PublishedResults published(figures);
  EXPECT_EQ(full_rows(with({{"a", 96}}), published.results()),
            (Lines{"fp32 GPU=1,BS=128: a=96 *P=128"}));
}

TEST(ResultGroups, AccumulationIsAMarkOfTheRow) {
  SampleJournal journal;
  for (const int accumulate : {unknown_accumulate, 4, 1}) {
    Cell cell = SampleJournal::cell("bert", "a", 32);
    cell.accumulate = accumulate;
    journal.good(cell, 100);
  }
  const std::vector<Result> results = results_of(journal.contents);
  std::vector<int> found;
  for (const MatrixRow& row : matrix_rows(group_results(results).at(0).precisions.at(0)))
    found.push_back(row.accumulate);
  EXPECT_EQ(found, (std::vector<int>{1, 4, unknown_accumulate}));
}

TEST(ResultGroups, ShapesAreTablesOfTheirOwn) {
  SampleJournal journal;
  Cell cell = SampleJournal::cell("bert", "a", 32);
  journal.good(cell, 100);
  cell.shapes["sequence"] = 512;
  journal.good(cell, 20);
  const std::vector<Result> results = results_of(journal.contents);
  const auto groups = group_results(results);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[1].title(), "bert full,sequence=512 cuda");
}

}  // namespace
}  // namespace trainmark
