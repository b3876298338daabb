#include "journal/foreign.h"

#include <gtest/gtest.h>

#include "journal/journal.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

Cell unknown_cell() {
  Cell cell;
  cell.precision = unknown_word;
  cell.batch = unknown_batch;
  return cell;
}

LogFigure log_figure() {
  LogFigure figure;
  figure.batch = 96;
  figure.gpus = 16;
  figure.nodes = 2;
  figure.precision = "amp-fp16";
  return figure;
}

TEST(ForeignCell, TakesFromTheLogWhatNobodySaid) {
  Cell cell = unknown_cell();
  complete_cell(cell, log_figure(), {});
  EXPECT_EQ(cell.batch, 96);
  EXPECT_EQ(cell.precision, "amp-fp16");
  EXPECT_EQ(cell.scale.text(), "2n8g");
}

TEST(ForeignCell, KeepsWhatWasSaid) {
  Cell cell = unknown_cell();
  cell.batch = 128;
  cell.precision = "fp32";
  cell.scale = {1, 4};
  complete_cell(cell, log_figure(),
                {{"batch", "--batch"}, {"precision", "x"}, {"gpus", "x"}, {"nodes", "x"}});
  EXPECT_EQ(cell.batch, 128);
  EXPECT_EQ(cell.precision, "fp32");
  EXPECT_EQ(cell.scale.text(), "1n4g");
}

TEST(ForeignCell, SaysThatNobodyKnowsTheBatch) {
  Cell cell = unknown_cell();
  complete_cell(cell, LogFigure(), {});
  Verdicts verdicts;
  settle_unknown(cell, verdicts);
  EXPECT_EQ(cell.batch, 1);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].name, "batch-unknown");
  settle_unknown(cell, verdicts);
  EXPECT_EQ(verdicts.size(), 1U);
}

LogFigure read_from(const std::string& file, double throughput) {
  LogFigure figure = log_figure();
  figure.file = file;
  figure.dialect = "plsc";
  figure.unit = "images/s";
  figure.method = "items / time";
  figure.throughput = throughput;
  return figure;
}

TEST(ForeignRuns, AreRunsOfOneCellOnlyWhereTheirNamesSaySo) {
  const TemporaryFolder folder;
  const auto journal = folder / "results";
  const std::vector<LogFigure> figures = {read_from("a/train_1.log", 100),
                                          read_from("a/train_2.log", 101),
                                          read_from("b/train.log", 50)};
  EXPECT_EQ(add_foreign_runs(journal, figures).added, 3U);
  EXPECT_EQ(add_foreign_runs(journal, figures).known, 3U) << "the same logs once more";
  std::map<std::string, int> rounds;
  for (const RunRecord& run : read_journal(journal).runs) ++rounds[run.cell.size];
  EXPECT_EQ(rounds, (std::map<std::string, int>{{"train", 2}, {"train.log", 1}}));
}

TEST(ForeignRuns, ALogAloneKeepsThePlainCell) {
  const TemporaryFolder folder;
  add_foreign_runs(folder / "results", {read_from("a/x_1.log", 100), read_from("a/x_2.log", 99)});
  for (const RunRecord& run : read_journal(folder / "results").runs)
    EXPECT_EQ(run.cell.size, "foreign");
}

}  // namespace
}  // namespace trainmark
