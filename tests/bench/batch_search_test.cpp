#include "bench/batch_search.h"

#include <gtest/gtest.h>

#include "bench/largest_batch.h"

namespace trainmark {
namespace {

/// A search on a machine into whose memory some batches fit.
struct MadeUpSearch {
  explicit MadeUpSearch(int fits) {
    search.known = [](const Cell&) { return std::nullopt; };
    search.try_batch = [this, fits](const PlannedCell&, int batch) {
      tried.push_back(batch);
      RunRecord run;
      run.ok = batch <= fits;
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
  made_up.search.known = [](const Cell&) { return 96; };
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
  EXPECT_NE(made_up.skipped[0].find("no batch fits into the memory"), std::string::npos);
}

TEST(BatchSearch, SkipsWhereATrialBreaks) {
  MadeUpSearch made_up(100);
  made_up.search.try_batch = [](const PlannedCell&, int) {
    RunRecord run;
    run.failure = "crash";
    run.reason = "ended by SIGSEGV";
    return run;
  };
  std::vector<PlannedCell> cells = {cell_of(largest_batch)};
  find_largest_batches(cells, made_up.search);
  EXPECT_TRUE(cells.empty());
  EXPECT_NE(made_up.skipped.at(0).find("broke at 8: ended by SIGSEGV"), std::string::npos);
}

TEST(BatchSearch, MeasuresNoBatchTwice) {
  MadeUpSearch made_up(100);
  made_up.search.known = [](const Cell&) { return 64; };
  std::vector<PlannedCell> cells = {cell_of(largest_batch), cell_of(64),
                                    cell_of(largest_batch, "libtorch:eager")};
  find_largest_batches(cells, made_up.search);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].cell.framework, "jax:eager");
  EXPECT_EQ(cells[1].cell.framework, "libtorch:eager");
  EXPECT_NE(made_up.skipped.at(0).find("stands in the suite"), std::string::npos);
}

}  // namespace
}  // namespace trainmark
