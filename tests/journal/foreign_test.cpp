#include "journal/foreign.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace trainmark
