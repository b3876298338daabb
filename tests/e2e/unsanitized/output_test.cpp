// A command whose output did not get out says so. Every command is started twice, which takes the
// sanitizers a minute.

#include <gtest/gtest.h>
#include <unistd.h>

#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

const char* const results_to_write_about =
    "matrix: {workload: clock, framework: clock, size: tiny, batch: [1, 2, 3]}\n"
    "measure: {rule: fixed, steps: 20, skip: 2}\nrounds: 1\n"
    "frameworks: {clock: {arguments: [--step-ms, 1]}}\n";

/// Results to write about, measured once.
class Output : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place_ = new TemporaryFolder;
    write_text(*place_ / "s.yaml", results_to_write_about);
    write_text(*place_ / "a.log", sample_log());
    for (const char* name : {"a", "b"})
      ASSERT_EQ(
          trainmark({"run", *place_ / "s.yaml", "--out", (*place_ / name).string(), "--quiet"})
              .code,
          0);
  }
  static void TearDownTestSuite() { delete place_; }

  static std::string sample_log() {
    std::string text;
    for (int step = 1; step <= 30; ++step)
      text += fmt::format("it {} loss 1.5 speed {} img/s\n", step, 100 + step % 3);
    return text;
  }

  /// Of every command that writes to standard output.
  static std::vector<std::string> commands() {
    const std::string a = (*place_ / "a").string();
    const std::string b = (*place_ / "b").string();
    return {"--version",
            "--help",
            "run --help",
            "run " + (*place_ / "s.yaml").string() + " --dry-run",
            "list rules",
            "list",
            "env",
            "env --format json",
            "report " + a,
            "report " + a + " --format csv",
            "report " + a + " --format json",
            "report " + a + " --format md",
            "report " + a + " --format html",
            "compare " + a + " " + b,
            "compare " + a + " " + b + " --format json",
            "history " + a + " " + b,
            "project " + a + " --parameters 25.6e6",
            "extract " + (*place_ / "a.log").string() +
                " --pattern 'it (?P<step>\\d+) .* (?P<rate>[\\d.]+) img/s' --unit images/s"};
  }

  static TemporaryFolder* place_;
};

TemporaryFolder* Output::place_ = nullptr;

TEST_F(Output, ThatDoesNotGetOutIsSaid) {
  for (const std::string& command : commands()) {
    const Outcome outcome = shell(program_path() + " " + command + " > /dev/full");
    EXPECT_EQ(outcome.code, 1) << command;
    EXPECT_NE(outcome.errors.find("cannot write to standard output"), std::string::npos)
        << command << "\n"
        << outcome.errors;
  }
}

TEST_F(Output, ThatIsClosedIsSaid) {
  const Outcome outcome = shell(program_path() + " report " + (*place_ / "a").string() + " >&-");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.errors.find("standard output"), std::string::npos) << outcome.errors;
}

TEST_F(Output, WhoseReaderHasGoneIsNoError) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ::close(ends[0]);
  ASSERT_EQ(dup2(ends[1], 9), 9);  // shells know numbers of one digit only
  ::close(ends[1]);
  for (const std::string& command : commands()) {
    const Outcome outcome = shell(program_path() + " " + command + " >&9");
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_EQ(outcome.errors, "") << command;
  }
  ::close(9);
}

TEST_F(Output, OfTrainersIsCheckedToo) {
  const Outcome outcome = shell(program_path() + "-clock --describe > /dev/full");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.errors.find("cannot write to standard output"), std::string::npos)
      << outcome.errors;
}

}  // namespace
}  // namespace trainmark::e2e
