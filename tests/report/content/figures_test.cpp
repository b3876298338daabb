#include "report/content/figures.h"

#include <gtest/gtest.h>

#include <limits>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

/// A result of 100 with this interval.
Result result_within(Interval interval) {
  static const RunRecord run = SampleJournal::run(SampleJournal::cell("resnet50", "a"), 100);
  Result result;
  result.cell = run.cell;
  result.runs = {&run};
  result.unit = "images";
  result.throughput.value = 100;
  result.throughput.interval = interval;
  return result;
}

TEST(Figures, OfAnIntervalTheLongerSideIsShown) {
  EXPECT_EQ(interval_text(result_within({99, 101}), true), "±1 %");
  EXPECT_EQ(interval_text(result_within({80, 101}), true), "±20 %");
  EXPECT_EQ(interval_text(result_within({99, 130}), true), "±30 %");
  EXPECT_EQ(interval_text(result_within({99, 130}), false), "+-30 %");
}

TEST(Figures, AnIntervalThatNobodyKnowsIsNotShown) {
  EXPECT_EQ(interval_text(result_within({0, std::numeric_limits<double>::infinity()}), true), "?");
  EXPECT_EQ(interval_text(result_within({100, 100}), true), "?");
  EXPECT_EQ(interval_text(Result(), true), "-");
}

TEST(Figures, TheMemoryIsTheMostOfAllRuns) {
  RunRecord runs[2] = {SampleJournal::run(SampleJournal::cell("resnet50", "a"), 100, 1),
                       SampleJournal::run(SampleJournal::cell("resnet50", "a"), 100, 2)};
  runs[0].peak_host_bytes = 1.5 * 1024 * 1024 * 1024;
  runs[1].peak_host_bytes = 2.25 * 1024 * 1024 * 1024;
  Result result;
  result.runs = {&runs[0], &runs[1]};
  EXPECT_EQ(memory_text(result), "2.25 GiB");
  runs[0].peak_device_bytes = 640.0 * 1024 * 1024;
  EXPECT_EQ(memory_text(result), "640 MiB") << "of the device, where it tells";
}

}  // namespace
}  // namespace trainmark
