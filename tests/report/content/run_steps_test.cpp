#include "report/content/run_steps.h"

#include <gtest/gtest.h>

#include <fstream>

#include "report/sample_journal.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

constexpr const char* three_steps =
    R"({"event":"start","batch":1}
{"event":"step","step":0,"end":1.5,"seconds":1.5,"items":8,"loss":7.25}
[trainmark: 12 bytes were not kept here]
{"event":"step","step":1,"end":2.5,"seconds":1,"items":8,"loss":null}
{"event":"step","step":1,"end":2.0,"seconds":1,"items":8}
{"event":"step","step":5,"end":4.5,"seconds":2,"items":8}
{"event":"step","step":6,"en)";

class RunSteps : public ::testing::Test {
 protected:
  void events(const fs::path& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }

  RunRecord run(const std::string& folder, const std::string& scale = "1n1g") {
    RunRecord record = SampleJournal::run(SampleJournal::cell("bert", "x:y", 8, scale), 10);
    record.folder = folder;
    return record;
  }

  TemporaryFolder folder_;
};

TEST_F(RunSteps, ReadsWhatIsWholeAndInOrder) {
  events("journal/runs/1/events.jsonl", three_steps);
  const std::vector<Step> steps = steps_of(folder_ / "journal", run("runs/1"));
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].end, 1.5);
  EXPECT_EQ(steps[0].loss, 7.25);
  EXPECT_TRUE(steps[1].has_loss);
  EXPECT_TRUE(std::isnan(steps[1].loss));
  EXPECT_EQ(steps[2].index, 5);
  EXPECT_FALSE(steps[2].has_loss);
}

TEST_F(RunSteps, AJobsStepsAreThoseOfItsSlowestRank) {
  events("journal/runs/1/events.0.jsonl", three_steps);
  events("journal/runs/1/events.1.jsonl",
         R"({"event":"step","step":0,"end":9,"seconds":9,"items":8})"
         "\n");
  const std::vector<Step> steps = steps_of(folder_ / "journal", run("runs/1", "1n2g"));
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].end, 9);
  EXPECT_EQ(steps[0].items, 16);
}

TEST_F(RunSteps, HostsHaveClocksOfTheirOwn) {
  for (const char* rank : {"0", "1"})
    events(fmt::format("journal/runs/1/events.{}.jsonl", rank), three_steps);
  RunRecord record = run("runs/1", "2n1g");
  record.ranks.ranks.resize(2);
  record.ranks.ranks[1].clock_offset = 100;
  const std::vector<Step> steps = steps_of(folder_ / "journal", record);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].end, 101.5);
}

TEST_F(RunSteps, NothingOutsideOfTheJournalIsRead) {
  events("secret/events.jsonl", three_steps);
  events("journal/runs/1/other.jsonl", three_steps);
  fs::create_directory_symlink(folder_ / "secret", folder_ / "journal" / "link");
  for (const std::string& path : {std::string("../secret"), (folder_ / "secret").string(),
                                  std::string("link"), std::string("runs/missing"), std::string()})
    EXPECT_TRUE(steps_of(folder_ / "journal", run(path)).empty()) << path;
}

}  // namespace
}  // namespace trainmark
