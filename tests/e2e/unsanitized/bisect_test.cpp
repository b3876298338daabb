// `trainmark bisect` in a small repository whose slow commit is known.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>

#include "base/files.h"
#include "base/text.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

constexpr int commits = 16;
constexpr int slow_from = 11;
constexpr int broken = 8;  // and the next: one of the two is the first that a bisection asks for

class Bisect : public testing::Test {
 protected:
  /// Each commit is a program that prints how long its steps took. The words behind its name are
  /// there to find its processes by.
  void SetUp() override {
    fs::create_directory(repository_);
    git({"init", "--quiet"});
    const std::string program =
        "#!/bin/sh\npause=$(cat speed)\ni=0\nlast=$(date +%s%N)\n"
        "while :; do\n  sleep $pause\n  i=$((i+1))\n  now=$(date +%s%N)\n"
        "  echo step $i took $(((now - last) / 1000)) us\n  last=$now\ndone\n";
    for (int number = 1; number <= commits; ++number) {
      write_text(repository_ / "program", program);
      fs::permissions(repository_ / "program", fs::perms::owner_all);
      write_text(repository_ / "speed", number >= slow_from ? "0.06\n" : "0.02\n");
      write_text(repository_ / "builds",
                 number == broken || number == broken + 1 ? "false\n" : "true\n");
      write_text(repository_ / "number", fmt::format("{}\n", number));
      git({"add", "--all"});
      git({"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m",
           fmt::format("Change {}", number)});
    }
  }

  std::string git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-C", repository_.string()});
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return outcome.output;
  }

  std::string id_of(int number) const {
    return std::string(trim(git({"rev-parse", fmt::format("HEAD~{}", commits - number)})));
  }

  std::vector<std::string> command(int good, int bad,
                                   const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"bisect",
                                      id_of(good),
                                      id_of(bad),
                                      "-C",
                                      repository_.string(),
                                      "--pattern",
                                      R"(step (?P<step>\d+) took (?P<time:us>\d+) us)",
                                      "--batch",
                                      "1",
                                      "--gpus",
                                      "1",
                                      "--out",
                                      results_.string(),
                                      "--min-slow-down",
                                      "50",
                                      "--turn-seconds",
                                      "0.2",
                                      "--max-seconds",
                                      "3"};
    words.insert(words.end(), more.begin(), more.end());
    if (std::find(words.begin(), words.end(), "--build") == words.end())
      words.insert(words.end(), {"--build", "sh builds"});
    words.insert(words.end(), {"--", "./program", mark_});
    return words;
  }

  Outcome bisect(int good, int bad, const std::vector<std::string>& more = {}) const {
    return trainmark(command(good, bad, more), empty_home(folder_.path()));
  }

  /// Trees that git knows, the user's own included.
  std::size_t trees() const {
    const std::string listed = git({"worktree", "list"});
    return static_cast<std::size_t>(std::count(listed.begin(), listed.end(), '\n'));
  }

  std::size_t measured_runs() const {
    std::size_t runs = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(results_ / "commits", error))
      if (has_journal(entry.path())) runs += read_journal(entry.path()).runs.size();
    return runs;
  }

  const TemporaryFolder folder_;
  const fs::path repository_ = folder_ / "repository";
  const fs::path results_ = folder_ / "results";
  const std::string mark_ = "trainmark_bisect_" + folder_.path().filename().string();
};

TEST_F(Bisect, NamesTheSlowCommitAndLeavesTheCheckoutAlone) {
  write_text(repository_ / "number", "not committed\n");
  const std::string before = git({"status", "--porcelain", "--branch"});
  const Outcome outcome = bisect(1, commits);
  ASSERT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("first slow commit: " + id_of(slow_from)), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("Change 11\n"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("the build ended with exit code 1"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(git({"status", "--porcelain", "--branch"}), before);
  EXPECT_EQ(trees(), 1U);
  EXPECT_FALSE(fs::exists(results_ / "trees"));
  EXPECT_TRUE(all_gone(mark_));
}

TEST_F(Bisect, SaysThatNothingBecameSlower) {
  const Outcome outcome = bisect(1, 3);
  EXPECT_EQ(outcome.code, 1) << outcome.errors;
  EXPECT_NE(outcome.output.find("not slower: GOOD and BAD do not differ by more than"),
            std::string::npos)
      << outcome.output;
}

TEST_F(Bisect, SaysThatAnEndDoesNotBuild) {
  const Outcome outcome = bisect(1, broken);
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_NE(outcome.errors.find("the build ended with exit code 1"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(trees(), 1U);

  EXPECT_EQ(bisect(1, broken).code, 2) << "without --resume";
  const Outcome other = bisect(2, broken, {"--resume"});
  EXPECT_EQ(other.code, 2) << other.output;
  EXPECT_NE(other.errors.find("holds another bisect: its good is"), std::string::npos)
      << other.errors;
}

TEST_F(Bisect, GoesOnAfterAKillAndMeasuresNothingTwice) {
  const pid_t bench =
      start_trainmark(command(1, commits), folder_.path(), empty_home(folder_.path()));
  ASSERT_TRUE(comes_true([&] { return measured_runs() >= 4; }));
  kill(bench, SIGKILL);
  wait_for(bench);
  ASSERT_TRUE(all_gone(mark_));
  const Outcome outcome = bisect(1, commits, {"--resume"});
  ASSERT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("first slow commit: " + id_of(slow_from)), std::string::npos);
  EXPECT_EQ(trees(), 1U);

  const std::size_t runs = measured_runs();
  const Outcome again = bisect(1, commits, {"--resume"});
  EXPECT_EQ(again.output, outcome.output);
  EXPECT_EQ(measured_runs(), runs);
}

TEST_F(Bisect, EndsAllOnCtrlCAndRemovesItsTrees) {
  const pid_t bench =
      start_trainmark(command(1, commits), folder_.path(), empty_home(folder_.path()));
  const fs::path runs = results_ / "commits" / id_of(commits).substr(0, 12) / "runs";
  ASSERT_TRUE(comes_true([&] { return fs::exists(runs); }));
  EXPECT_EQ(trees(), 3U);
  EXPECT_EQ(bisect(1, commits, {"--resume"}).code, 2) << "two in one folder";
  EXPECT_EQ(trees(), 3U);
  kill(bench, SIGINT);
  EXPECT_EQ(wait_with_limit(bench).code, 130);
  EXPECT_TRUE(all_gone(mark_));
  EXPECT_EQ(trees(), 1U);
  const std::string said = read_file(folder_ / "err", 1 << 20);
  EXPECT_NE(said.find("--resume"), std::string::npos) << said;
}

TEST_F(Bisect, EndsABuildOnSigterm) {
  const pid_t bench = start_trainmark(
      command(1, commits, {"--build", "sh -c 'echo begun; sleep 1000; : " + mark_ + "-build'"}),
      folder_.path(), empty_home(folder_.path()));
  const fs::path log = results_ / "builds" / (id_of(1).substr(0, 12) + ".log");
  ASSERT_TRUE(comes_true([&] { return fs::exists(log) && fs::file_size(log) > 0; }));
  kill(bench, SIGTERM);
  EXPECT_EQ(wait_with_limit(bench).code, 143);
  EXPECT_TRUE(all_gone(mark_));
  EXPECT_EQ(trees(), 1U);
}

TEST_F(Bisect, RefusesBadInputWithWhatToWrite) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& part) {
    const Outcome outcome = trainmark(words, empty_home(folder_.path()));
    EXPECT_EQ(outcome.code, 2) << outcome.errors;
    EXPECT_NE(outcome.errors.find(part), std::string::npos) << outcome.errors;
    EXPECT_FALSE(fs::exists(results_)) << part;
  };
  const std::string in = repository_.string();
  const std::string out = results_.string();
  refused({"bisect", "HEAD", "HEAD~3", "-C", in, "--out", out, "--", "x"},
          "the older commit first");
  refused({"bisect", "HEAD", "HEAD", "-C", in, "--out", out, "--", "x"}, "the same commit");
  refused({"bisect", "nosuch", "HEAD", "-C", in, "--out", out, "--", "x"},
          "GOOD: 'nosuch' is not a commit");
  refused({"bisect", "HEAD~3", "--output=/tmp/x", "-C", in, "--out", out, "--", "x"}, "--output");
  refused({"bisect", "HEAD~3", "HEAD", "-C", "/", "--out", out, "--", "x"}, "--repository");
  refused({"bisect", "HEAD~3", "HEAD", "-C", in, "--out", out}, "after two dashes");
  refused({"bisect", "HEAD~3", "HEAD", "-C", in, "--out", out, "--build-limit", "x", "--", "x"},
          "90s, 10m or 2h");
  refused({"bisect", "HEAD~3", "HEAD", "-C", in, "--out", out, "--dialect", "nosuch", "--", "x"},
          "--dialect");
}

TEST_F(Bisect, ShowsThePlanAndStartsNothing) {
  const Outcome outcome = bisect(1, commits, {"--dry-run"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("15 commits"), std::string::npos) << outcome.output;
  EXPECT_FALSE(fs::exists(results_));
  EXPECT_EQ(trees(), 1U);
}

}  // namespace
}  // namespace trainmark::e2e
