// Where results and reports may be written: never over what is read, never among the files of
// others, and in a folder of their own where nobody names one.

#include <gtest/gtest.h>

#include "base/files.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

std::string small_suite() {
  return clock_suite("rule: fixed, steps: 20, skip: 2", {"--step-ms", "1"});
}

std::string content(const fs::path& file) {
  return read_file(file, SIZE_MAX);
}

TEST(OutputFolder, WithFilesOfOthersIsRefused) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", small_suite());
  const fs::path theirs = folder / "theirs";
  fs::create_directory(theirs);
  write_text(theirs / "report.md", "my own report");
  const std::string csv = TRAINMARK_SOURCE "/references/v100.csv";
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"run", folder / "s.yaml", "--out", theirs},
           {"run", folder / "s.yaml", "--out", theirs, "--resume"},
           {"run", folder / "s.yaml", "--out", folder / "s.yaml"},
           {"measure", "--out", theirs, "--", "sh", "-c", "true"},
           {"import", csv, "--into", theirs}}) {
    const Outcome outcome = trainmark(command);
    EXPECT_EQ(outcome.code, 2) << command[0] << outcome.errors;
    EXPECT_NE(outcome.errors.find("new, empty or holds results"), std::string::npos)
        << outcome.errors;
  }
  EXPECT_EQ(content(theirs / "report.md"), "my own report");
  EXPECT_EQ(std::distance(fs::directory_iterator(theirs), {}), 1) << "nothing was added";
  EXPECT_EQ(content(folder / "s.yaml"), small_suite());
}

TEST(OutputFolder, ThatIsEmptyIsFine) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", small_suite());
  fs::create_directory(folder / "empty");
  const Outcome outcome = trainmark({"run", folder / "s.yaml", "--out", folder / "empty"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
}

TEST(OutputFolder, HasANameOfItsOwnForBenchesThatBeginTogether) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", small_suite());
  std::vector<pid_t> benches;
  for (int i = 0; i < 5; ++i) {
    const fs::path own = folder / std::to_string(i);
    fs::create_directory(own);
    benches.push_back(start_shell(
        fmt::format("cd {} && exec {} run s.yaml --quiet", folder.path().string(), program_path()),
        own));
  }
  for (std::size_t i = 0; i < benches.size(); ++i)
    EXPECT_EQ(wait_for(benches[i]), 0) << content(folder / std::to_string(i) / "err");
  std::size_t journals = 0;
  for (const auto& entry : fs::directory_iterator(folder / "results")) {
    EXPECT_EQ(read_journal(entry.path()).runs.size(), 1U) << entry.path();
    ++journals;
  }
  EXPECT_EQ(journals, benches.size());
}

class OutputFile : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "s.yaml", small_suite());
    for (const fs::path& results : {a_, b_})
      ASSERT_EQ(trainmark({"run", folder_ / "s.yaml", "--out", results, "--quiet"}).code, 0);
    ASSERT_EQ(trainmark({"report", a_, "--bundle", folder_ / "a.tar.zst"}).code, 0);
  }

  /// The command is refused, and the file is as it was.
  void expect_kept(const std::vector<std::string>& command, const fs::path& file) const {
    const std::string before = content(file);
    const Outcome outcome = trainmark(command);
    EXPECT_EQ(outcome.code, 2) << command[0] << " " << file;
    EXPECT_NE(outcome.errors.find("would destroy"), std::string::npos) << outcome.errors;
    EXPECT_EQ(content(file), before) << command[0];
  }

  const TemporaryFolder folder_;
  const fs::path a_ = folder_ / "a";
  const fs::path b_ = folder_ / "b";
};

TEST_F(OutputFile, IsNeverWhatIsRead) {
  const fs::path journal = a_ / "journal.jsonl";
  const std::string run = read_journal(a_).runs[0].folder;
  const fs::path link = folder_ / "link";
  fs::create_symlink(journal, link);
  for (const fs::path& name : {journal, a_ / "." / "runs" / ".." / "journal.jsonl", link}) {
    expect_kept({"report", a_, "--format", "csv", "--out", name}, journal);
    expect_kept({"report", a_, "--bundle", name}, journal);
    expect_kept({"compare", b_, a_, "--out", name}, journal);
    expect_kept({"history", a_, b_, "--out", name}, journal);
  }
  const fs::path events = a_ / run / "events.jsonl";
  expect_kept({"report", a_, "--format", "csv", "--out", events}, events);
  const fs::path bundle = folder_ / "a.tar.zst";
  expect_kept({"report", bundle, "--bundle", bundle}, bundle);
  expect_kept({"report", bundle, "--out", bundle}, bundle);
  expect_kept({"compare", bundle, b_, "--out", bundle}, bundle);
}

TEST_F(OutputFile, IsNoJournalOfOthersEither) {
  expect_kept({"report", a_, "--format", "csv", "--out", b_ / "journal.jsonl"},
              b_ / "journal.jsonl");
}

TEST_F(OutputFile, OfExtractIsNoneOfItsLogs) {
  std::string log;
  for (int step = 1; step <= 30; ++step) log += fmt::format("it {} speed 100 img/s\n", step);
  fs::create_directory(folder_ / "logs");
  write_text(folder_ / "logs" / "a.log", log);
  const std::string pattern = "it (?P<step>\\d+) speed (?P<rate>[\\d.]+) img/s";
  const fs::path file = folder_ / "logs" / "a.log";
  expect_kept({"extract", file, "--pattern", pattern, "--save", file}, file);
  expect_kept({"extract", folder_ / "logs", "--pattern", pattern, "--save", file}, file);
  // What is not a log may be there, such as what was saved before.
  const std::vector<std::string> words = {"extract",   folder_ / "logs",
                                          "--pattern", pattern,
                                          "--gpus",    "1",
                                          "--save",    folder_ / "logs" / "saved.json"};
  EXPECT_EQ(trainmark(words).code, 0);
  EXPECT_EQ(trainmark(words).code, 0);
}

TEST_F(OutputFile, InAFolderOfResultsIsWelcome) {
  const Outcome outcome = trainmark({"report", a_, "--format", "csv", "--out", a_ / "report.csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(trainmark({"report", a_, "--format", "csv", "--out", a_ / "report.csv"}).code, 0);
}

}  // namespace
}  // namespace trainmark::e2e
