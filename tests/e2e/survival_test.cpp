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
#include "patience.h"

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

std::string short_runs(const std::string& clock, int rounds = 8) {
  return fmt::format(
      "matrix: {{workload: clock, framework: clock, size: tiny, batch: [1, 2, 3, 4, 5]}}\n"
      "measure: {{rule: fixed, steps: 40, skip: 4}}\nrounds: {}\n"
      "frameworks: {{clock: {{program: [{}], arguments: [--step-ms, 1]}}}}\n",
      rounds, clock);
}

/// Waits until the journal holds so many runs; false where they never come.
bool await_runs(const std::filesystem::path& folder, std::size_t count) {
  const Patience patience(fmt::format("{} finished runs", count));
  const std::string mark = R"("type":"run")";
  while (patience.left()) {
    std::size_t found = 0;
    if (has_journal(folder)) {
      const std::string text = read_file(folder / "journal.jsonl", SIZE_MAX);
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1))
        ++found;
    }
    if (found >= count) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

/// Each pair of a cell and a round once; there are `rounds` of each of the five cells at most.
std::set<std::pair<std::string, int>> pairs_in(const std::filesystem::path& folder, int rounds) {
  std::set<std::pair<std::string, int>> pairs;
  if (!has_journal(folder)) return pairs;
  for (const auto& run : read_journal(folder).runs) {
    EXPECT_TRUE(run.ok) << run.reason;
    EXPECT_GE(run.round, 1);
    EXPECT_LE(run.round, rounds);
    EXPECT_TRUE(pairs.emplace(run.cell.key(), run.round).second)
        << run.cell.key() << " was measured twice in round " << run.round;
  }
  return pairs;
}

TEST(Survival, KillNineAtFiftyMomentsLosesNothing) {
  constexpr int rounds = 16;
  constexpr std::size_t all = 5 * rounds;
  const TemporaryFolder folder;
  const std::string clock = own_clock(folder.path());
  const auto home = empty_home(folder / "home");
  write_text(folder / "s.yaml", short_runs(clock, rounds));
  const std::vector<std::string> arguments = {"run", (folder / "s.yaml").string(), "--out",
                                              (folder / "results").string(), "--resume"};
  std::mt19937 random(5);
  std::map<std::string, std::string> before;
  int kills = 0, with_runs = 0, with_new_runs = 0;
  for (int i = 0; i < 50 && before.size() + 3 < all; ++i) {
    const pid_t pid = start_trainmark(arguments, folder.path(), home);
    // From the first instants on for some; the others have finished a run, and are at any moment
    // of the next one or between the two.
    const bool late = i % 4 != 0;
    const bool measured = !late || await_runs(folder / "results", before.size() + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % (late ? 60 : 200)));
    kill(pid, SIGKILL);
    kills += wait_for(pid) == 128 + SIGKILL ? 1 : 0;
    EXPECT_TRUE(all_gone(clock)) << "a trainer outlived the bench";
    const auto now = finished_runs(folder / "results");
    for (const auto& [id, record] : before) {
      ASSERT_TRUE(now.contains(id)) << id << " was lost";
      EXPECT_EQ(now.at(id), record) << id << " has changed";
    }
    pairs_in(folder / "results", rounds);
    ASSERT_TRUE(measured && !HasFailure()) << "after " << i + 1 << " kills";
    with_runs += now.empty() ? 0 : 1;
    with_new_runs += now.size() > before.size() ? 1 : 0;
    before = now;
  }
  EXPECT_GE(kills, 35) << "the suite was over too soon for this test to mean anything";
  EXPECT_GE(with_runs, 35) << "there was nothing to lose";
  EXPECT_GE(with_new_runs, 25) << "nothing was measured between the kills";
  const Outcome outcome = trainmark(arguments, home);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(pairs_in(folder / "results", rounds).size(), all);
  for (const auto& [id, record] : before)
    EXPECT_EQ(finished_runs(folder / "results").at(id), record);
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
  const Patience patience("the journal of the first bench");
  while (!has_journal(folder / "results") && patience.left())
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
