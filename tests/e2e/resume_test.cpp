// Going on with a suite: only with the same one, never over what is there, and no further than it
// was begun.

#include <gtest/gtest.h>

#include <set>

#include "base/files.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

std::string suite_of(int steps, int rounds = 1, const std::string& more = "") {
  return fmt::format(
      "matrix: {{workload: clock, framework: clock, size: tiny, batch: [1, 2]}}\n"
      "measure: {{rule: fixed, steps: {}, skip: 2}}\nrounds: {}\n{}"
      "frameworks: {{clock: {{arguments: [--step-ms, 1]}}}}\n",
      steps, rounds, more);
}

std::string text_of(const fs::path& path) {
  return read_file(path, SIZE_MAX);
}

/// Every file below a folder with its content.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files[entry.path().string()] = text_of(entry.path());
  return files;
}

class Resuming : public testing::Test {
 protected:
  Resuming() : suite_((folder_ / "s.yaml").string()), results_(folder_ / "results") {}

  void SetUp() override {
    write_text(suite_, suite_of(20));
    ASSERT_EQ(run().code, 0);
    ASSERT_EQ(journal().runs.size(), 2U);
  }

  Outcome run(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"run", suite_, "--out", results_.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return trainmark(arguments);
  }
  JournalContents journal() const { return read_journal(results_); }

  const TemporaryFolder folder_;
  const std::string suite_;
  const fs::path results_;
};

TEST_F(Resuming, AFinishedSuiteIsFinished) {
  const std::string before = text_of(results_ / "journal.jsonl");
  const Outcome again = run({"--resume"});
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_NE(again.errors.find("already finished"), std::string::npos) << again.errors;
  EXPECT_NE(again.errors.find("--rounds 2"), std::string::npos) << again.errors;
  EXPECT_EQ(text_of(results_ / "journal.jsonl"), before);
  EXPECT_NE(again.output.find("clock"), std::string::npos) << "the table is shown again";

  EXPECT_EQ(run({"--resume", "--rounds", "2"}).code, 0);
  EXPECT_EQ(journal().runs.size(), 4U);
}

TEST_F(Resuming, ComparesSuitesByWhatTheyAskFor) {
  // A comment, another spelling, another title and more rounds: the same in other words.
  write_text(
      suite_,
      "# every night\nname: nightly\ntitle: What we look at\n"
      "frameworks:\n  clock:\n    arguments:\n      - --step-ms\n      - 1\n"
      "measure:\n  skip: 2\n  steps: 20\n  rule: fixed\n"
      "matrix:\n  - batch: [2, 1]\n    workload: [clock]\n    framework: clock\n    size: tiny\n"
      "rounds: 2\ntime_limit: 20m\n");
  const Outcome same = run({"--resume"});
  EXPECT_EQ(same.code, 0) << same.errors;
  EXPECT_EQ(journal().runs.size(), 4U);

  write_text(suite_, suite_of(20, 2, "seed: 7\n"));
  const Outcome other = run({"--resume"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.errors.find("different: seed"), std::string::npos) << other.errors;
  EXPECT_EQ(journal().runs.size(), 4U);
}

TEST_F(Resuming, ADamagedRecordOfTheSuiteIsNoPermission) {
  std::string text = text_of(results_ / "journal.jsonl");
  text[text.find("clock")] = 'k';
  write_text(results_ / "journal.jsonl", text);
  ASSERT_TRUE(journal().suites.empty());
  write_text(suite_, suite_of(30, 2));
  const Outcome other = run({"--resume"});
  EXPECT_EQ(other.code, 2) << other.errors;
  EXPECT_NE(other.errors.find("record of their suite cannot be read"), std::string::npos)
      << other.errors;
  EXPECT_EQ(text_of(results_ / "journal.jsonl"), text);
}

TEST_F(Resuming, FoldersOfRunsAreNeverUsedAgain) {
  write_text(results_ / "journal.jsonl", "");
  const auto before = files_in(results_ / "runs");
  ASSERT_FALSE(before.empty());
  const Outcome refused = run();
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.errors.find("are not in its journal"), std::string::npos) << refused.errors;

  EXPECT_EQ(run({"--resume"}).code, 0);
  EXPECT_EQ(journal().runs.size(), 2U);
  const auto after = files_in(results_ / "runs");
  for (const auto& [file, content] : before) EXPECT_EQ(after.at(file), content) << file;
  for (const RunRecord& record : journal().runs)
    EXPECT_FALSE(before.contains((results_ / record.folder / "events.jsonl").string()));

  fs::remove(results_ / "journal.jsonl");
  for (const auto& how : std::vector<std::vector<std::string>>{{}, {"--resume"}}) {
    EXPECT_EQ(run(how).code, 2);
    EXPECT_EQ(files_in(results_ / "runs"), after);
  }
}

TEST_F(Resuming, ASuiteThatMeasuredNothingBindsNobody) {
  // The trainer is gone at its first run: the journal has the suite, and no run.
  const std::string text = text_of(results_ / "journal.jsonl");
  write_text(results_ / "journal.jsonl", text.substr(0, text.find('\n') + 1));
  fs::remove_all(results_ / "runs");
  write_text(suite_, suite_of(30));
  const Outcome corrected = run();
  EXPECT_EQ(corrected.code, 0) << corrected.errors;
  EXPECT_EQ(journal().runs.size(), 2U);
  const Outcome again = run({"--resume"});
  EXPECT_EQ(again.code, 0) << again.errors;
}

TEST_F(Resuming, AJournalOfANewerVersionIsRefusedEverywhere) {
  const std::string newer =
      text_of(results_ / "journal.jsonl") +
      journal_line({{"schema", 4}, {"type", "run"}, {"cell", "of another form"}}) +
      journal_line({{"schema", 4}, {"type", "suite"}, {"trainmark", "9.8.7 (abc)"}});
  write_text(results_ / "journal.jsonl", newer);
  const auto before = files_in(results_);
  const std::string results = results_.string();
  std::vector<std::vector<std::string>> commands = {
      {"compare", results, results},
      {"history", results, results},
      {"project", results},
      {"import", TRAINMARK_SOURCE "/references/v100.csv", "--into", results},
      {"report", results, "--bundle", (folder_ / "b.tar.zst").string()},
      {"run", suite_, "--out", results},
      {"run", suite_, "--out", results, "--resume"}};
  for (const char* format : {"table", "csv", "json", "md", "html"})
    commands.push_back({"report", results, "--format", format});
  for (const auto& command : commands) {
    const Outcome outcome = trainmark(command);
    EXPECT_EQ(outcome.code, 2) << command[0];
    EXPECT_EQ(outcome.output, "");
    for (const char* words : {"journal.jsonl:", "trainmark 9.8.7", "schema 4", "up to schema 3"})
      EXPECT_NE(outcome.errors.find(words), std::string::npos) << command[0] << outcome.errors;
    EXPECT_EQ(files_in(results_), before) << command[0];
  }
  // A server that does begin would not end by itself.
  const pid_t server = start_trainmark({"serve", results, "--port", "0"}, folder_.path());
  EXPECT_EQ(wait_with_limit(server).code, 2);
  EXPECT_NE(text_of(folder_ / "err").find("up to schema 3"), std::string::npos);
}

// `all` stands for what can be used, and that may have become more since the suite was begun.
TEST(FinishedSuites, DoNotGrowWithWhatIsInstalled) {
  const TemporaryFolder folder;
  const auto add_framework = [&](const std::string& name) {
    fs::create_directories(folder / "home" / "frameworks" / name);
    write_text(folder / "home" / "frameworks" / name / "framework.yaml",
               "title: a clock\nprogram: [trainmark-clock]\nsetup: none\n");
  };
  fs::create_directories(folder / "home" / "suites");
  write_text(folder / "home" / "suites" / "all.yaml",
             "matrix: {workload: clock, size: tiny}\n"
             "measure: {rule: fixed, steps: 20, skip: 2}\nrounds: 2\n");
  const auto run = [&](const std::string& options) {
    return shell(fmt::format("cd {} && TRAINMARK_HOME={} {} run all {}", folder.path().string(),
                             (folder / "home").string(), program_path(), options));
  };
  const auto cells = [&] {
    std::set<std::string> keys;
    for (const auto& entry : fs::directory_iterator(folder / "results"))
      for (const RunRecord& record : read_journal(entry.path()).runs)
        keys.insert(record.cell.key());
    return keys.size();
  };
  add_framework("first");
  ASSERT_EQ(run("--rounds 1").code, 0);
  EXPECT_EQ(cells(), 1U);
  add_framework("second");
  const Outcome finished = run("--resume --rounds 1");
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_NE(finished.errors.find("already finished"), std::string::npos) << finished.errors;
  EXPECT_NE(finished.errors.find("--more-cells"), std::string::npos) << finished.errors;
  EXPECT_EQ(cells(), 1U);

  const Outcome longer = run("--resume");  // the second round, of the cells that it was begun with
  EXPECT_EQ(longer.code, 0) << longer.errors;
  EXPECT_EQ(cells(), 1U);
  const Outcome more = run("--resume --more-cells");
  EXPECT_EQ(more.code, 0) << more.errors;
  EXPECT_EQ(cells(), 2U);
  EXPECT_NE(run("--resume").errors.find("already finished"), std::string::npos);
}

}  // namespace
}  // namespace trainmark::e2e
