// Standard streams that cannot be written: a suite goes on without its progress.

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <fcntl.h>
#include <csignal>

#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

const char* const three_runs =
    "matrix: {workload: clock, framework: clock, size: tiny, batch: [1, 2, 3]}\n"
    "measure: {rule: fixed, steps: 20, skip: 2}\nrounds: 1\n"
    "frameworks: {clock: {arguments: [--step-ms, 1]}}\n";

void expect_three_runs(const fs::path& folder) {
  ASSERT_TRUE(has_journal(folder));
  const JournalContents contents = read_journal(folder);
  EXPECT_EQ(contents.runs.size(), 3U);
  for (const RunRecord& run : contents.runs) EXPECT_TRUE(run.ok) << run.reason;
  EXPECT_TRUE(contents.damage.empty()) << contents.damage.front();
}

struct Redirection {
  const char* name;
  const char* script;  // RUN stands for the command, CODE for a file
  int code;

  friend void PrintTo(const Redirection& it, std::ostream* out) { *out << it.name; }
};

class Diagnostics : public testing::TestWithParam<Redirection> {};

std::string with_replaced(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; at += by.size())
    text.replace(at, word.size(), by);
  return text;
}

TEST_P(Diagnostics, ThatCannotBeWrittenDoNotEndASuite) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", three_runs);
  const std::string run = fmt::format("{} run {} --out {}", program_path(),
                                      (folder / "s.yaml").string(), (folder / "results").string());
  const Outcome outcome = shell(with_replaced(with_replaced(GetParam().script, "RUN", run), "CODE",
                                              (folder / "code").string()));
  EXPECT_EQ(outcome.code, GetParam().code) << outcome.errors;
  expect_three_runs(folder / "results");
}

INSTANTIATE_TEST_SUITE_P(
    Table, Diagnostics,
    testing::Values(Redirection{"full_device", "RUN 2> /dev/full", 0},
                    Redirection{"closed", "RUN 2>&-", 0},
                    Redirection{"reader_that_goes",
                                "{ RUN; echo $? > CODE; } 2>&1 | head -2; exit $(cat CODE)", 0},
                    Redirection{"closed_input", "RUN <&-", 0},
                    // Its table is output, and did not get out.
                    Redirection{"all_closed", "RUN <&- >&- 2>&-", 1}),
    [](const auto& input) { return std::string(input.param.name); });

TEST(ClosedTerminal, DoesNotEndASuite) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", three_runs);
  const std::string program = program_path();
  const std::string suite = (folder / "s.yaml").string();
  const std::string results = (folder / "results").string();
  const std::string output = (folder / "output").string();
  int terminal = -1;
  const pid_t bench = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (bench == 0) {
    signal(SIGHUP, SIG_IGN);  // as nohup does it
    dup2(::open(output.c_str(), O_WRONLY | O_CREAT, 0644), STDOUT_FILENO);
    execl(program.c_str(), program.c_str(), "run", suite.c_str(), "--out", results.c_str(),
          nullptr);
    _exit(127);
  }
  EXPECT_TRUE(comes_true([&] { return has_journal(results); }));
  ::close(terminal);
  const Ending ending = wait_with_limit(bench);
  EXPECT_FALSE(ending.by_signal);
  EXPECT_EQ(ending.code, 0);
  expect_three_runs(results);
}

}  // namespace
}  // namespace trainmark::e2e
