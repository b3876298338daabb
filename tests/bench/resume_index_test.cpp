#include "bench/resume_index.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

Cell cell_with(int batch) {
  return {"resnet50", "small", "jax:eager", "fp32", batch, 1, "cpu", {}};
}

RunRecord run_of(const Cell& cell, int round, const std::string& failure = "") {
  RunRecord run;
  run.id = std::to_string(round);
  run.cell = cell;
  run.round = round;
  run.ok = failure.empty();
  run.failure = failure;
  return run;
}

std::vector<PlannedCell> planned(std::initializer_list<int> batches) {
  std::vector<PlannedCell> cells;
  for (const int batch : batches) cells.push_back({cell_with(batch), "images", 8});
  return cells;
}

TEST(ResumeIndex, KnowsWhichCellsAreDoneInWhichRounds) {
  ResumeIndex index(false);
  index.add(run_of(cell_with(8), 1));
  index.add(run_of(cell_with(8), 2, "crash"));
  index.add(run_of(cell_with(16), 3));
  EXPECT_TRUE(index.is_done(cell_with(8), 1));
  EXPECT_TRUE(index.is_done(cell_with(8), 2));
  EXPECT_FALSE(index.is_done(cell_with(8), 3));
  EXPECT_FALSE(index.is_done(cell_with(16), 1));
  EXPECT_TRUE(index.was_tried(cell_with(16)));
  EXPECT_FALSE(index.was_tried(cell_with(32)));
  EXPECT_FALSE(index.was_tried(cell_with(1))) << "a key that begins another is another cell's";
  const auto counts = index.count(planned({8, 16, 32}), 2);  // the third round is not planned
  EXPECT_EQ(counts.done, 2U);
  EXPECT_EQ(counts.recorded, 2U);
  EXPECT_EQ(counts.failed, 1U);
}

TEST(ResumeIndex, WantsFailedPairsAgainWhereTheyAreRetried) {
  ResumeIndex index(true);
  index.add(run_of(cell_with(8), 1, "crash"));
  index.add(run_of(cell_with(8), 2));
  EXPECT_FALSE(index.is_done(cell_with(8), 1));
  EXPECT_TRUE(index.is_done(cell_with(8), 2));
  EXPECT_EQ(index.count(planned({8}), 2).done, 1U);
  // Done again, a pair has two runs and is one.
  index.add(run_of(cell_with(8), 1));
  EXPECT_TRUE(index.is_done(cell_with(8), 1));
  const auto counts = index.count(planned({8}), 2);
  EXPECT_EQ(counts.done, 2U);
  EXPECT_EQ(counts.recorded, 2U);
  EXPECT_EQ(counts.failed, 0U);
}

TEST(ResumeIndex, FindsACommandByTheCellThatWasPlanned) {
  RunRecord run = run_of(cell_with(64), 1);  // its log told the batch
  run.asked = cell_with(unknown_batch).key();
  ResumeIndex index(false);
  index.add(run);
  EXPECT_TRUE(index.is_done(cell_with(unknown_batch), 1));
  EXPECT_FALSE(index.is_done(cell_with(64), 1));
}

TEST(ResumeIndex, RemembersTheSmallestBatchThatDidNotFit) {
  ResumeIndex index(false);
  index.add(run_of(cell_with(64), 1, "out-of-memory"));
  index.add(run_of(cell_with(32), 1, "out-of-memory"));
  index.add(run_of(cell_with(48), 1, "out-of-memory"));
  EXPECT_EQ(index.too_small_for(cell_with(16)), std::nullopt);
  EXPECT_EQ(index.too_small_for(cell_with(32)), 32);
  EXPECT_EQ(index.too_small_for(cell_with(1024)), 32);
  Cell other = cell_with(1024);
  other.precision = "amp-fp16";
  EXPECT_EQ(index.too_small_for(other), std::nullopt);
  ResumeIndex again(true);
  again.add(run_of(cell_with(32), 1, "out-of-memory"));
  EXPECT_EQ(again.too_small_for(cell_with(32)), std::nullopt);
}

TEST(ResumeIndex, KnowsTheLargestBatchThatWasFoundBefore) {
  JournalContents contents;
  contents.batches.push_back({cell_with(96), 5});
  ResumeIndex index(false);
  index.add(contents);
  EXPECT_EQ(index.found_for(cell_with(largest_batch)), cell_with(96));
  Cell other = cell_with(largest_batch);
  other.device = "cuda";
  EXPECT_EQ(index.found_for(other), std::nullopt);
}

TEST(ResumeIndex, TellsSearchesApartByWhatWasAskedFor) {
  JournalContents contents;
  contents.batches.push_back({cell_with(96), 5, "", 128});
  Cell shaped = cell_with(8);
  shaped.shapes["classes"] = 5000;
  contents.batches.push_back({shaped, 5, "classes", std::nullopt});
  ResumeIndex index(false);
  index.add(contents);
  Cell wish = cell_with(128);
  wish.at_most = true;
  EXPECT_EQ(index.found_for(wish), cell_with(96));
  EXPECT_EQ(index.found_for(cell_with(128)), std::nullopt);
  EXPECT_EQ(index.found_for(cell_with(largest_batch)), std::nullopt);
  Cell classes = cell_with(8);
  classes.shapes["classes"] = largest_shape;
  EXPECT_EQ(index.found_for(classes), shaped);
}

TEST(ResumeIndex, GivesNoNameTwice) {
  ResumeIndex index(false);
  RunRecord run = run_of(cell_with(8), 1);
  run.id = "0002-resnet50-r1";
  index.add(run);
  EXPECT_EQ(index.free_id("resnet50", 1), "0003-resnet50-r1");
  EXPECT_EQ(index.free_id("resnet50", 2), "0002-resnet50-r2");
}

}  // namespace
}  // namespace trainmark
