// Signals: what is ignored stays ignored, Ctrl-C ends the program at any moment with 130, and what
// was measured is kept.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "base/files.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

std::size_t runs_in(const fs::path& folder) {
  return has_journal(folder) ? read_journal(folder).runs.size() : 0;
}

std::string many_runs(const std::string& clock, int rounds) {
  return fmt::format(
      "matrix: {{workload: clock, framework: clock, size: tiny}}\n"
      "measure: {{rule: fixed, steps: 40, skip: 4}}\nrounds: {}\n"
      "frameworks: {{clock: {{program: [{}], arguments: [--step-ms, 1]}}}}\n",
      rounds, clock);
}

struct NamedSignal {
  const char* name;
  int number;

  friend void PrintTo(const NamedSignal& it, std::ostream* out) { *out << it.name; }
};

const auto named_signals = testing::Values(NamedSignal{"HUP", SIGHUP}, NamedSignal{"INT", SIGINT},
                                           NamedSignal{"TERM", SIGTERM});

class IgnoredSignals : public testing::TestWithParam<NamedSignal> {};

TEST_P(IgnoredSignals, StayIgnored) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", many_runs(own_clock(folder.path()), 3));
  const fs::path results = folder / "results";
  const pid_t bench =
      start_shell(fmt::format("trap '' {}; exec {} run {} --out {}", GetParam().name,
                              program_path(), (folder / "s.yaml").string(), results.string()),
                  folder.path());
  ASSERT_TRUE(comes_true([&] { return runs_in(results) > 0; }));
  kill(bench, GetParam().number);
  const Ending ending = wait_with_limit(bench);
  EXPECT_FALSE(ending.by_signal);
  EXPECT_EQ(ending.code, 0) << read_file(folder / "err", 1 << 20);
  EXPECT_EQ(runs_in(results), 3U);
}

INSTANTIATE_TEST_SUITE_P(Table, IgnoredSignals, named_signals,
                         [](const auto& input) { return std::string(input.param.name); });

class HeardSignals : public testing::TestWithParam<NamedSignal> {};

TEST_P(HeardSignals, GiveUpTheRunAndKeepTheRest) {
  const TemporaryFolder folder;
  const std::string clock = own_clock(folder.path());
  write_text(folder / "s.yaml", many_runs(clock, 1000));
  const fs::path results = folder / "results";
  const pid_t bench = start_trainmark(
      {"run", (folder / "s.yaml").string(), "--out", results.string()}, folder.path());
  ASSERT_TRUE(comes_true([&] { return runs_in(results) > 0; }));
  kill(bench, GetParam().number);
  const Ending ending = wait_with_limit(bench);
  EXPECT_FALSE(ending.by_signal);
  EXPECT_EQ(ending.code, 128 + GetParam().number);
  EXPECT_TRUE(all_gone(clock)) << "a trainer is left";
  EXPECT_GE(runs_in(results), 1U);
  EXPECT_TRUE(read_journal(results).damage.empty());
  const std::string said = read_file(folder / "err", 1 << 20);
  EXPECT_NE(said.find("--resume --out " + results.string()), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(Table, HeardSignals, named_signals,
                         [](const auto& input) { return std::string(input.param.name); });

// A trainer that never answers what it can do: trainmark plans for as long as it is let.
TEST(CtrlC, EndsPlanningAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string trainer = (folder / "trainer").string();
  write_text(trainer, fmt::format("#!/bin/sh\ntouch {}\nsleep 600\n", (folder / "asked").string()));
  fs::permissions(trainer, fs::perms::owner_all);
  write_text(folder / "s.yaml", fmt::format("matrix: {{workload: x, framework: mine, size: tiny}}\n"
                                            "frameworks: {{mine: {{program: [{}]}}}}\n",
                                            trainer));
  const pid_t bench = start_trainmark(
      {"run", (folder / "s.yaml").string(), "--out", (folder / "results").string()}, folder.path());
  ASSERT_TRUE(comes_true([&] { return fs::exists(folder / "asked"); }));
  kill(bench, SIGINT);
  const Ending ending = wait_with_limit(bench);
  EXPECT_FALSE(ending.by_signal);
  EXPECT_EQ(ending.code, 130);
  EXPECT_TRUE(all_gone(trainer)) << "what was asked lives on";
  EXPECT_FALSE(fs::exists(folder / "results"));
}

/// A pipe that takes no more: whoever writes there waits.
class FullPipe {
 public:
  explicit FullPipe(const fs::path& path) {
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    pipe_ = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    const std::string bytes(4096, 'x');
    while (::write(pipe_, bytes.data(), bytes.size()) > 0) {
    }
  }
  ~FullPipe() { ::close(pipe_); }
  FullPipe(const FullPipe&) = delete;
  FullPipe& operator=(const FullPipe&) = delete;

 private:
  int pipe_;
};

TEST(CtrlC, EndsAReportThatNobodyReads) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", many_runs(own_clock(folder.path()), 2));
  const FullPipe reader(folder / "pipe");
  const fs::path results = folder / "results";
  const pid_t bench = start_shell(
      fmt::format("exec {} run {} --out {} > {}", program_path(), (folder / "s.yaml").string(),
                  results.string(), (folder / "pipe").string()),
      folder.path());
  ASSERT_TRUE(comes_true([&] { return fs::exists(results / "report.html"); }));
  kill(bench, SIGINT);
  const Ending ending = wait_with_limit(bench);
  EXPECT_FALSE(ending.by_signal);
  EXPECT_EQ(ending.code, 130);
  EXPECT_EQ(runs_in(results), 2U);
  EXPECT_TRUE(fs::exists(results / "report.md"));
}

}  // namespace
}  // namespace trainmark::e2e
