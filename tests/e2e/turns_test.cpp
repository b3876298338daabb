// Trainers that take turns: the ratio is the true one, and however the bench ends, nobody stays
// held.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "base/files.h"
#include "base/time.h"
#include "base/verdict_names.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

/// `text`: as the kernel prints it in /proc/PID/status.
std::string status_of(pid_t pid, const std::string& name) {
  std::ifstream file(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name + ":\t")) return line.substr(name.size() + 2);
  return "";
}

std::size_t times(const std::string& part, const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::size_t count = 0;
  for (std::size_t at = text.str().find(part); at != std::string::npos;
       at = text.str().find(part, at + 1))
    ++count;
  return count;
}

class Turns : public testing::Test {
 protected:
  /// Two clocks whose steps take 2 and 3 ms.
  void write_clocks(const std::string& measure, const std::string& more = "", int rounds = 1) {
    write_text(folder_ / "s.yaml",
               fmt::format("matrix: {{workload: clock, framework: [fast, slow], size: tiny{}}}\n"
                           "measure: {{rule: turns, {}}}\nrounds: {}\nframeworks:\n"
                           "  fast: {{program: [{}], arguments: [--step-ms, 2]}}\n"
                           "  slow: {{program: [{}], arguments: [--step-ms, 3],\n"
                           "         environment: {{HF_TOKEN: hush}}}}\n",
                           more, measure, rounds, clock_, clock_));
  }

  /// Two commands that were not written for Trainmark. The second does its work in a session of
  /// its own, where no signal to a group reaches it.
  void write_commands(const std::string& measure) {
    const auto script = [&](const std::string& name, const std::string& pause, bool elsewhere) {
      const std::string loop = fmt::format(
          "i=0; last=$(date +%s%N); while :; do sleep {}; i=$((i+1)); now=$(date +%s%N); "
          "echo step $i took $(((now - last) / 1000)) us; last=$now; done # {}",
          pause, mark_);
      write_text(folder_ / name, elsewhere
                                     ? fmt::format("#!/bin/sh\nsetsid sh -c '{}' &\nwait\n", loop)
                                     : fmt::format("#!/bin/sh\nsh -c '{}'\n", loop));
      fs::permissions(folder_ / name, fs::perms::owner_all);
      return (folder_ / name).string();
    };
    const std::string facts =
        "pattern: 'step (?P<step>\\d+) took (?P<time:us>\\d+) us', workload: w, batch: 1, gpus: 1, "
        "unit: items";
    write_text(folder_ / "s.yaml",
               fmt::format("matrix: {{framework: [here, elsewhere]}}\n"
                           "measure: {{rule: turns, {}}}\nframeworks:\n"
                           "  here: {{command: [{}], {}}}\n  elsewhere: {{command: [{}], {}}}\n",
                           measure, script("here.sh", "0.02", false), facts,
                           script("elsewhere.sh", "0.06", true), facts));
  }

  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"run", (folder_ / "s.yaml").string(), "--out",
                                      results_.string()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  pid_t start() { return start_trainmark(command(), folder_.path(), empty_home(folder_.path())); }

  /// Both trainers have paused a few times, so that one of them is held at almost any moment.
  bool both_took_turns() const {
    return comes_true([&] {
      return times("\"pause\"", results_ / "runs/0001-clock-r1/events.jsonl") > 3 &&
             times("\"pause\"", results_ / "runs/0002-clock-r1/events.jsonl") > 3;
    });
  }

  /// Some process of the commands is stopped by a signal.
  bool is_one_held() const {
    return comes_true([&] {
      for (const pid_t pid : processes_with(mark_))
        if (status_of(pid, "State").starts_with("T")) return true;
      return false;
    });
  }

  std::vector<Result> results() {
    contents_ = read_journal(results_);
    return results_of(contents_);
  }

  const TemporaryFolder folder_;
  const fs::path results_ = folder_ / "results";
  const std::string clock_ = own_clock(folder_.path());
  const std::string mark_ = "trainmark_turns_" + folder_.path().filename().string();
  JournalContents contents_;
};

const char* const short_turns = "turn_seconds: 0.05, turn_steps: 4, max_seconds: 20";
// As many as there must be at least, for tests that ask for no precision: a busy machine gives
// none.
const char* const few_turns = "turn_seconds: 0.05, turn_steps: 4, interval: 0.5, max_seconds: 20";
const char* const endless_turns = "turn_seconds: 0.05, min_blocks: 10000, max_seconds: 3600";

TEST_F(Turns, GiveTheTrueRatio) {
  write_clocks(short_turns);
  const Outcome outcome = trainmark(command(), empty_home(folder_.path()));
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const std::vector<Result> found = results();
  ASSERT_EQ(found.size(), 2U);
  const Result& second = found[1];
  ASSERT_TRUE(second.versus);
  const double truth = second.cell.framework == "slow:spin" ? 2.0 / 3 : 1.5;
  EXPECT_NEAR(second.versus->ratio.ratio, truth, 0.02 * truth) << second.cell.key();
  EXPECT_EQ(contents_.turns.size(), 1U);
  EXPECT_TRUE(contents_.damage.empty());
  EXPECT_EQ(read_file(results_ / "journal.jsonl", SIZE_MAX).find("hush"), std::string::npos);
}

TEST_F(Turns, HoldAllRanks) {
  write_clocks(few_turns, ", scale: 1n2g");
  const Outcome outcome = trainmark(command(), empty_home(folder_.path()));
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const std::vector<Result> found = results();
  ASSERT_EQ(found.size(), 2U);
  ASSERT_TRUE(found[1].versus);
  std::size_t streams = 0;
  for (const auto& entry : fs::recursive_directory_iterator(results_ / "runs")) {
    if (!entry.path().filename().string().starts_with("events")) continue;
    ++streams;
    EXPECT_GT(times("\"pause\"", entry.path()), 8U) << entry.path();
  }
  EXPECT_EQ(streams, 4U);
}

TEST_F(Turns, StopCommandsWithAllThatTheyStarted) {
  write_commands("turn_seconds: 0.3, interval: 0.5, max_seconds: 20");
  const double begun = monotonic_seconds();
  const Outcome outcome = trainmark(command(), empty_home(folder_.path()));
  const double lasted = monotonic_seconds() - begun;
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const std::vector<Result> found = results();
  ASSERT_EQ(found.size(), 2U);
  ASSERT_TRUE(found[1].versus);
  // Starting `sleep` and `date` takes its time, too, and on a busy machine more of it.
  const double ratio = found[1].versus->ratio.ratio;
  EXPECT_GT(std::max(ratio, 1 / ratio), 1.3);
  // Never both at once: if one's turns counted as steps of the other, the time would not suffice.
  double counted = 0;
  for (const Result& result : found) {
    const RunSummary& summary = result.runs.front()->summary;
    counted += static_cast<double>(summary.used) / summary.throughput.value;
    for (const Verdict& verdict : result.verdicts)
      EXPECT_NE(verdict.name, verdicts::did_not_stop)
          << "one that was held did not hear of its end";
  }
  EXPECT_LT(counted, lasted);
  EXPECT_TRUE(all_gone(mark_));
}

TEST_F(Turns, CompareTheCommandsOfMeasure) {
  write_commands("turn_seconds: 1");
  const auto measure = [&](std::vector<std::string> options) {
    std::vector<std::string> words = {"measure",
                                      "--pattern",
                                      R"(step (?P<step>\d+) took (?P<time:us>\d+) us)",
                                      "--batch",
                                      "1",
                                      "--gpus",
                                      "1",
                                      "--interval",
                                      "0.5",
                                      "--turn-seconds",
                                      "0.3",
                                      "--out",
                                      results_.string()};
    words.insert(words.end(), options.begin(), options.end());
    return trainmark(words, empty_home(folder_.path()));
  };
  const std::string here = (folder_ / "here.sh").string();
  const std::string elsewhere = (folder_ / "elsewhere.sh").string();
  EXPECT_EQ(measure({"--", here, "--versus"}).code, 2);
  EXPECT_EQ(measure({"--names", "a", "--", here, "--versus", elsewhere}).code, 2);
  EXPECT_EQ(measure({"--names", "a,a", "--", here, "--versus", elsewhere}).code, 2);
  EXPECT_EQ(measure({"--", here}).code, 2) << "--turn-seconds of one";
  const Outcome outcome = measure({"--names", "quick,slow", "--", here, "--versus", elsewhere});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const std::vector<Result> found = results();
  ASSERT_EQ(found.size(), 2U);
  ASSERT_TRUE(found[1].versus) << "they did not take turns";
  EXPECT_EQ(found[1].cell.framework_name(), "slow");
  EXPECT_LT(found[1].versus->ratio.ratio, 1 / 1.3);
  EXPECT_TRUE(all_gone(mark_));
}

TEST_F(Turns, LeaveNobodyHeldWhenTheBenchIsKilled) {
  write_clocks(endless_turns);
  const pid_t bench = start();
  ASSERT_TRUE(both_took_turns());
  kill(bench, SIGKILL);
  wait_for(bench);
  EXPECT_TRUE(all_gone(clock_)) << "a trainer outlives the bench";
}

TEST_F(Turns, LeaveNoStoppedCommandWhenTheBenchIsKilled) {
  write_commands(endless_turns);
  const pid_t bench = start();
  ASSERT_TRUE(is_one_held());
  kill(bench, SIGKILL);
  wait_for(bench);
  EXPECT_TRUE(all_gone(mark_)) << "a stopped program outlives the bench";
}

TEST_F(Turns, GoOnAfterAKillAsIfNothingHadBeen) {
  write_clocks(few_turns, "", 2);
  const pid_t bench = start();
  ASSERT_TRUE(comes_true([&] {
    return has_journal(results_) && !read_journal(results_).turns.empty() &&
           !processes_with(clock_).empty();
  }));
  kill(bench, SIGKILL);
  wait_for(bench);
  const Outcome outcome = trainmark(command({"--resume"}), empty_home(folder_.path()));
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const std::vector<Result> found = results();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(contents_.runs.size(), 4U);
  EXPECT_EQ(contents_.turns.size(), 2U);
  ASSERT_TRUE(found[1].versus);
}

TEST_F(Turns, GoOnWithoutTheOneWhoseKeeperIsKilled) {
  write_clocks("turn_seconds: 0.05, min_blocks: 10000, max_seconds: 5");
  const pid_t bench = start();
  ASSERT_TRUE(both_took_turns());
  const std::vector<pid_t> trainers = processes_with(clock_);
  ASSERT_EQ(trainers.size(), 2U);
  kill(std::stoi(status_of(trainers.front(), "PPid")), SIGKILL);
  EXPECT_EQ(wait_for(bench), 1) << "a run that failed";
  EXPECT_TRUE(all_gone(clock_));
  results();
  ASSERT_EQ(contents_.runs.size(), 2U);
  EXPECT_NE(contents_.runs[0].ok, contents_.runs[1].ok);
}

class InterruptedTurns : public Turns, public testing::WithParamInterface<int> {};

TEST_P(InterruptedTurns, EndAllAndSayHowToGoOn) {
  write_clocks(endless_turns);
  const pid_t bench = start();
  ASSERT_TRUE(both_took_turns());
  for (int i = 0; i < GetParam(); ++i) kill(bench, SIGINT);
  const Ending ending = wait_with_limit(bench);
  EXPECT_EQ(ending.code, 130);
  EXPECT_TRUE(all_gone(clock_)) << "a trainer is left";
  const std::string said = read_file(folder_ / "err", 1 << 20);
  EXPECT_NE(said.find("--resume"), std::string::npos) << said;
  EXPECT_TRUE(read_journal(results_).runs.empty()) << "half a comparison is none";
}

INSTANTIATE_TEST_SUITE_P(CtrlC, InterruptedTurns, testing::Values(1, 2),
                         [](const auto& presses) { return fmt::format("{}times", presses.param); });

/// 128 fits a trial of a few steps, and not a measured run.
TEST_F(Turns, OfABatchThatDoesNotFitAfterAllGoOnWithASmallerOne) {
  write_text(folder_ / "s.yaml",
             fmt::format("matrix: {{workload: clock, framework: [fast, slow], size: tiny, "
                         "batch: at most 128}}\n"
                         "measure: {{rule: turns, turn_seconds: 0.1, max_seconds: 1}}\nrounds: 1\n"
                         "frameworks:\n"
                         "  fast: {{program: [{0}], arguments: [--step-ms, 2]}}\n"
                         "  slow: {{program: [{0}], arguments: [--step-ms, 3, --oom-after, 40, "
                         "--oom-batch, 100]}}\n",
                         clock_));
  const Outcome outcome = trainmark(command(), empty_home(folder_.path()));
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const JournalContents contents = read_journal(results_);
  std::map<std::string, std::vector<int>> fits;
  for (const RunRecord& run : contents.runs)
    if (run.ok) fits[run.cell.framework_name()].push_back(run.cell.batch);
  EXPECT_LE(fits["fast"].size(), 2U) << "once more beside the other, and not for ever\n"
                                     << outcome.errors;
  ASSERT_EQ(fits["slow"].size(), 1U) << outcome.errors;
  EXPECT_LE(fits["slow"][0], 100);
  EXPECT_GE(fits["slow"][0], 90) << "the next smaller part that fits";
  EXPECT_EQ(contents.batches.back().at_most, 128);
}

}  // namespace
}  // namespace trainmark::e2e
