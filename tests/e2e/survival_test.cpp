// What was measured is never lost: not by kill -9, a full disk, a read-only folder or a second
// bench.

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <csignal>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "base/files.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

std::map<std::string, std::string> finished_runs(const std::filesystem::path& folder) {
  std::map<std::string, std::string> runs;  // id → the record, as text
  if (!has_journal(folder)) return runs;
  for (const auto& run : read_journal(folder).runs) {
    EXPECT_TRUE(runs.emplace(run.id, to_record(run).dump()).second) << run.id << " stands twice";
  }
  return runs;
}

std::string short_runs(const std::string& clock) {
  return fmt::format(
      "matrix: {{workload: clock, framework: clock, size: tiny, batch: [1, 2, 3, 4, 5]}}\n"
      "measure: {{rule: fixed, steps: 40, skip: 4}}\nrounds: 8\n"
      "frameworks: {{clock: {{program: [{}], arguments: [--step-ms, 1]}}}}\n",
      clock);
}

TEST(Survival, KillNineAtFiftyMomentsLosesNothing) {
  const TemporaryFolder folder;
  const std::string clock = own_clock(folder.path());
  write_text(folder / "s.yaml", short_runs(clock));
  const std::vector<std::string> arguments = {"run", (folder / "s.yaml").string(), "--out",
                                              (folder / "results").string(), "--resume"};
  std::mt19937 random(5);
  std::map<std::string, std::string> before;
  int kills = 0;
  for (int i = 0; i < 50; ++i) {
    const pid_t pid = start_trainmark(arguments, folder.path());
    // From the first instant to the middle of a run and the moments between runs.
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 250));
    kill(pid, SIGKILL);
    kills += wait_for(pid) == 128 + SIGKILL ? 1 : 0;
    EXPECT_TRUE(all_gone(clock)) << "a trainer outlived the bench";
    const auto now = finished_runs(folder / "results");
    for (const auto& [id, record] : before) {
      ASSERT_TRUE(now.contains(id)) << id << " was lost";
      EXPECT_EQ(now.at(id), record) << id << " has changed";
    }
    before = now;
  }
  EXPECT_GE(kills, 25) << "the suite was over too soon for this test to mean anything";
  const Outcome outcome = trainmark(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  std::set<std::pair<std::string, int>> cells;
  for (const auto& run : read_journal(folder / "results").runs) {
    EXPECT_TRUE(run.ok);
    EXPECT_TRUE(cells.emplace(run.cell.key(), run.round).second) << run.id << " counts twice";
  }
  EXPECT_EQ(cells.size(), 40U);
}

TEST(Survival, AFullDiskIsSaidAndDamagesNothing) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "disk");
  if (mount("tmpfs", (folder / "disk").c_str(), "tmpfs", 0, "size=700k") != 0) {
    GTEST_SKIP() << "a small disk can only be mounted by root";
  }
  write_text(folder / "s.yaml", short_runs("trainmark-clock"));
  const std::vector<std::string> arguments = {"run", (folder / "s.yaml").string(), "--out",
                                              (folder / "disk" / "results").string(), "--resume"};
  const Outcome full = trainmark(arguments);
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.errors.find("the disk is full"), std::string::npos) << full.errors;
  EXPECT_NE(full.errors.find("--resume"), std::string::npos) << full.errors;
  const auto before = finished_runs(folder / "disk" / "results");
  EXPECT_GE(before.size(), 1U);
  EXPECT_LT(before.size(), 40U) << "the disk was never full";
  EXPECT_TRUE(read_journal(folder / "disk" / "results").damage.empty());

  ASSERT_EQ(mount("tmpfs", (folder / "disk").c_str(), "tmpfs", MS_REMOUNT, "size=50m"), 0);
  const Outcome resumed = trainmark(arguments);
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
  const auto after = finished_runs(folder / "disk" / "results");
  EXPECT_EQ(after.size(), 40U);
  for (const auto& [id, record] : before) EXPECT_EQ(after.at(id), record);
  umount2((folder / "disk").c_str(), MNT_DETACH);
}

TEST(Survival, AFolderThatCannotBeWrittenIsSaid) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", short_runs("trainmark-clock"));
  std::filesystem::create_directory(folder / "disk");
  // Root may write everywhere; only a mount can forbid it.
  const bool mounted = mount("tmpfs", (folder / "disk").c_str(), "tmpfs", MS_RDONLY, "") == 0;
  if (!mounted) chmod((folder / "disk").c_str(), 0555);
  const Outcome outcome = trainmark(
      {"run", (folder / "s.yaml").string(), "--out", (folder / "disk" / "results").string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.errors.find((folder / "disk" / "results").string()), std::string::npos)
      << outcome.errors;
  if (mounted) umount2((folder / "disk").c_str(), MNT_DETACH);
}

TEST(Survival, AFolderWithResultsIsNotOverwritten) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", clock_suite("rule: fixed, steps: 40, skip: 4", {"--step-ms", "1"}));
  const std::vector<std::string> arguments = {"run", (folder / "s.yaml").string(), "--out",
                                              (folder / "results").string()};
  ASSERT_EQ(trainmark(arguments).code, 0);
  const auto before = finished_runs(folder / "results");
  const Outcome again = trainmark(arguments);
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.errors.find("--resume"), std::string::npos) << again.errors;

  write_text(folder / "s.yaml", clock_suite("rule: fixed, steps: 60, skip: 4", {"--step-ms", "1"}));
  std::vector<std::string> resume = arguments;
  resume.emplace_back("--resume");
  const Outcome other = trainmark(resume);
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.errors.find("not mixed"), std::string::npos) << other.errors;
  EXPECT_EQ(finished_runs(folder / "results"), before);
}

TEST(Survival, TwoBenchesOnOneFolderExcludeEachOther) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", clock_suite("rule: fixed, steps: 100000", {"--step-ms", "1"}));
  const std::vector<std::string> arguments = {"run", (folder / "s.yaml").string(), "--out",
                                              (folder / "results").string(), "--resume"};
  const pid_t first = start_trainmark(arguments, folder.path());
  while (!has_journal(folder / "results"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const Outcome second = trainmark(arguments);
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.errors.find("another trainmark"), std::string::npos) << second.errors;
  kill(first, SIGINT);
  EXPECT_EQ(wait_for(first), 130);
  EXPECT_NE(read_file(folder / "err", 1 << 20).find("--resume"), std::string::npos);
}

}  // namespace
}  // namespace trainmark::e2e
