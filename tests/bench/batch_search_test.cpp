#include "bench/batch_search.h"

#include <gtest/gtest.h>

#include "bench/largest_batch.h"

namespace trainmark {
namespace {

/// A search on a machine into whose memory some batches fit.
struct MadeUpSearch {
  explicit MadeUpSearch(int fits) {
    search.known = [](const Cell&) { return std::nullopt; };
    search.try_cell = [this, fits](const PlannedCell& planned) {
      EXPECT_EQ(planned.cell.searched(), "") << "a trial has a number";
      const auto classes = planned.cell.shapes.find("classes");
      const int number = classes == planned.cell.shapes.end() ? planned.cell.batch
                                                              : static_cast<int>(classes->second);
      tried.push_back(number);
      RunRecord run;
      run.ok = number <= fits;
      run.failure = run.ok ? "" : "out-of-memory";
      return run;
    };
    search.found = [this](const BatchRecord& record) { found.push_back(record); };
    search.skip = [this](const Cell& cell, const std::string& reason) {
      skipped.push_back(cell.key() + ": " + reason);
    };
    search.say = [](const std::string&) {};
  }

  BatchSearch search;
  std::vector<int> tried;
  std::vector<BatchRecord> found;
  std::vector<std::string> skipped;
};

PlannedCell cell_of(int batch, const std::string& framework = "jax:eager") {
  return {{"resnet50", "small", framework, "fp32", batch, 1, "cpu", {}}, "images", 8};
}

TEST(BatchSearch, PutsANumberInThePlaceOfMax) {
  MadeUpSearch made_up(100);
  std::vector<PlannedCell> cells = {cell_of(8), cell_of(largest_batch)};
  find_largest_batches(cells, made_up.search);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].cell.batch, 8);
  EXPECT_GT(cells[1].cell.batch, 96);
  EXPECT_LE(cells[1].cell.batch, 100);
  ASSERT_EQ(made_up.found.size(), 1U);
  EXPECT_EQ(made_up.found[0].cell, cells[1].cell);
  EXPECT_EQ(made_up.found[0].trials, static_cast<int>(made_up.tried.size()));
}

TEST(BatchSearch, IsNotRepeatedWhereTheNumberIsKnown) {
  MadeUpSearch made_up(100);
  made_up.search.known = [](Cell cell) {
    cell.batch = 96;
    return cell;
  };
  std::vector<PlannedCell> cells = {cell_of(largest_batch)};
  find_largest_batches(cells, made_up.search);
  EXPECT_EQ(cells.at(0).cell.batch, 96);
  EXPECT_TRUE(made_up.tried.empty());
  EXPECT_TRUE(made_up.found.empty());
}

TEST(BatchSearch, SkipsWhereNothingFits) {
  MadeUpSearch made_up(0);
  std::vector<PlannedCell> cells = {cell_of(largest_batch), cell_of(8)};
  find_largest_batches(cells, made_up.search);
  EXPECT_EQ(cells.size(), 1U);
  ASSERT_EQ(made_up.skipped.size(), 1U);
  EXPECT_NE(made_up.skipped[0].find("no batch fits into memory"), std::string::npos);
}

TEST(BatchSearch, SkipsWhereATrialBreaks) {
  MadeUpSearch made_up(100);
  made_up.search.try_cell = [](const PlannedCell&) {
    RunRecord run;
    run.failure = "crash";
    run.reason = "ended by SIGSEGV";
    return run;
  };
  std::vector<PlannedCell> cells = {cell_of(largest_batch)};
  find_largest_batches(cells, made_up.search);
  EXPECT_TRUE(cells.empty());
  EXPECT_NE(made_up.skipped.at(0).find("failed at 8: ended by SIGSEGV"), std::string::npos);
}

TEST(BatchSearch, MeasuresNoBatchTwice) {
  MadeUpSearch made_up(100);
  made_up.search.known = [](Cell cell) {
    cell.batch = 64;
    return cell;
  };
  std::vector<PlannedCell> cells = {cell_of(largest_batch), cell_of(64),
                                    cell_of(largest_batch, "libtorch:eager")};
  find_largest_batches(cells, made_up.search);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].cell.framework, "jax:eager");
  EXPECT_EQ(cells[1].cell.framework, "libtorch:eager");
  EXPECT_NE(made_up.skipped.at(0).find("is in the suite"), std::string::npos);
}

PlannedCell at_most(int batch) {
  PlannedCell planned = cell_of(batch);
  planned.cell.at_most = true;
  return planned;
}

TEST(BatchSearch, StepsDownFromAWishAndKeepsIt) {
  MadeUpSearch made_up(100);
  std::vector<PlannedCell> cells = {at_most(128), at_most(64)};
  find_largest_batches(cells, made_up.search);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].cell.batch, 96);
  EXPECT_FALSE(cells[0].cell.at_most);
  EXPECT_EQ(cells[1].cell.batch, 64);
  ASSERT_EQ(made_up.found.size(), 2U);
  EXPECT_EQ(made_up.found[0].at_most, 128);
  EXPECT_EQ(made_up.found[0].planned(), at_most(128).cell);
  EXPECT_EQ(made_up.found[1].trials, 0) << "the trials of 128 have told that 64 fits";
}

TEST(BatchSearch, TellsNothingOfCellsThatDifferInMore) {
  MadeUpSearch made_up(100);
  std::vector<PlannedCell> cells = {at_most(128), at_most(64)};
  cells[1].cell.precision = "amp-fp16";
  find_largest_batches(cells, made_up.search);
  EXPECT_EQ(made_up.found.at(1).trials, 1);
}

TEST(BatchSearch, FindsTheLargestShape) {
  MadeUpSearch made_up(1'000'000);
  PlannedCell planned = cell_of(8);
  planned.cell.shapes["classes"] = largest_shape;
  planned.default_shapes["classes"] = 85742;
  std::vector<PlannedCell> cells = {planned};
  find_largest_batches(cells, made_up.search);
  ASSERT_EQ(cells.size(), 1U);
  const double found = cells[0].cell.shapes.at("classes");
  EXPECT_LE(found, 1'000'000);
  EXPECT_GT(found, 960'000);
  EXPECT_EQ(cells[0].cell.batch, 8);
  EXPECT_EQ(made_up.found.at(0).searched, "classes");
  EXPECT_EQ(made_up.found.at(0).planned(), planned.cell);
  EXPECT_LE(made_up.tried.size(), 12U);
}

TEST(BatchSearch, TheNextSmallerIsAPartLess) {
  BatchRecord found{at_most(128).cell, 3};
  found.cell.at_most = false;
  found.cell.batch = 96;
  found.at_most = 128;
  EXPECT_EQ(next_smaller(found, cell_of(96))->cell.batch, 88);
  EXPECT_EQ(next_smaller(found, cell_of(96))->at_most, 128);
  found.cell.batch = 1;
  EXPECT_FALSE(next_smaller(found, cell_of(1)));
}

}  // namespace
}  // namespace trainmark
