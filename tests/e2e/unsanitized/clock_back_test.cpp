// The wall clock goes back by an hour each time it is looked at. Figures come from the monotonic
// clock, and the order of records from the journal.

#include <gtest/gtest.h>

#include "e2e/support/program.h"
#include "e2e/unsanitized/faulty_disk.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

TEST(WallClock, MayGoBackWhileASuiteIsMeasured) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml",
             clock_suite("rule: fixed, steps: 60, skip: 10", {"--step-ms", "2", "--sleep"}, 2));
  const std::vector<std::string> words = {"run", (folder / "s.yaml").string(), "--out",
                                          (folder / "results").string(), "--resume"};
  const Outcome outcome = trainmark(words, with_clock_going_back(3600));
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const JournalContents contents = read_journal(folder / "results");
  ASSERT_EQ(contents.runs.size(), 2U);
  EXPECT_LT(contents.runs[1].started, contents.runs[0].started) << "the clock did not go back";
  for (const auto& run : contents.runs) {
    EXPECT_TRUE(run.ok) << run.reason;
    EXPECT_GT(run.seconds, 0.1) << "it has 60 steps of 2 ms";
    EXPECT_LT(run.seconds, 600);
    EXPECT_GT(run.summary.throughput.seconds, 0);
    EXPECT_LE(run.summary.throughput.seconds, run.seconds);
  }
  const Outcome report =
      trainmark({"report", (folder / "results").string()}, with_clock_going_back(3600));
  EXPECT_EQ(report.code, 0) << report.errors;
  std::vector<std::string> more = words;
  more.insert(more.end(), {"--rounds", "3"});
  const Outcome third = trainmark(more, with_clock_going_back(3600));
  EXPECT_EQ(third.code, 0) << third.errors;
  EXPECT_EQ(read_journal(folder / "results").runs.size(), 3U);
}

}  // namespace
}  // namespace trainmark::e2e
