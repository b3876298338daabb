// One process of a run is killed from outside, as the kernel does when memory runs out: the run is
// a failed result with its reason, nothing is left running, and the suite goes on.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

pid_t parent_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/status", pid));
  for (std::string word; file >> word;) {
    if (word != "PPid:") continue;
    pid_t parent = -1;
    file >> parent;
    return parent;
  }
  return -1;
}

enum class Victim { trainer, keeper };

class Killed : public testing::Test {
 protected:
  /// Measures two rounds and kills one process in the midst of the first.
  JournalContents measure_and_kill(Victim victim) {
    write_text(folder_ / "s.yaml",
               fmt::format("matrix: {{workload: clock, framework: clock, size: tiny}}\n"
                           "measure: {{rule: fixed, steps: 2000, skip: 10}}\nrounds: 2\n"
                           "frameworks: {{clock: {{program: [{}], arguments: [--step-ms, 1]}}}}\n",
                           clock_));
    const fs::path results = folder_ / "results";
    const pid_t bench = start_trainmark(
        {"run", (folder_ / "s.yaml").string(), "--out", results.string()}, folder_.path());
    const fs::path events = results / "runs" / "0001-clock-r1" / "events.jsonl";
    // Enough steps for a figure, if nobody minded how the run ended.
    std::error_code none_yet;
    while (!(fs::file_size(events, none_yet) > 5000) || none_yet)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (const pid_t trainer : processes_with(clock_))
      kill(victim == Victim::trainer ? trainer : parent_of(trainer), SIGKILL);
    EXPECT_EQ(wait_for(bench), 1) << read_file(folder_ / "err", 1 << 20);
    EXPECT_TRUE(all_gone(clock_)) << "a process is left";
    return read_journal(results);
  }

  void expect_one_failure(const JournalContents& contents, const std::string& kind,
                          const std::string& words) {
    ASSERT_EQ(contents.runs.size(), 2U);
    EXPECT_FALSE(contents.runs[0].ok);
    EXPECT_EQ(contents.runs[0].failure, kind);
    EXPECT_NE(contents.runs[0].reason.find(words), std::string::npos) << contents.runs[0].reason;
    EXPECT_TRUE(contents.runs[1].ok) << contents.runs[1].reason;
  }

  const TemporaryFolder folder_;
  const std::string clock_ = own_clock(folder_.path());
};

TEST_F(Killed, ATrainerIsAFailedResult) {
  expect_one_failure(measure_and_kill(Victim::trainer), "crash", "out of memory");
}

TEST_F(Killed, AKeeperIsAFailedResult) {
  expect_one_failure(measure_and_kill(Victim::keeper), "rank-lost", "keeper");
}

}  // namespace
}  // namespace trainmark::e2e
