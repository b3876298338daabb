// Whole sessions against a made-up launcher. What counts is pairs of a cell and a round: how many
// runs they took is another matter.

#include "bench/session.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/verdict_names.h"
#include "bench/fake_launcher.h"
#include "journal/journal.h"
#include "suite/sample_catalog.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark {
namespace {

const char* const two_cells =
    "matrix: {workload: resnet50, framework: [jax:eager, libtorch:eager], size: small, batch: 8}\n"
    "measure: {rule: fixed, steps: 20, skip: 5}\n";

using Pair = std::pair<std::string, int>;  // the key of a cell, and a round

class Sessions : public testing::Test {
 protected:
  Sessions() {
    options_.folder = folder_ / "results";
    options_.environment = [] { return nlohmann::json{{"machine", "made up"}}; };
  }

  SessionOutcome measure(const std::string& text = two_cells) {
    const Suite suite = parse_suite(text, "s.yaml");
    const Catalog catalog = sample_catalog(/*with_gpu=*/true);
    Measuring measuring = settle_measuring(suite);
    measuring.rounds = rounds_;
    measuring.launcher = std::make_shared<FakeLauncher>(stage_);
    return measure_suite(suite, make_plan(suite, catalog), catalog, measuring, options_,
                         *silent_progress(), interrupted_);
  }

  JournalContents contents() const { return read_journal(options_.folder); }

  /// How many runs of each pair are in the journal.
  std::map<Pair, int> recorded() const {
    std::map<Pair, int> pairs;
    for (const RunRecord& run : contents().runs) ++pairs[{run.cell.key(), run.round}];
    return pairs;
  }

  /// Those that ask for this batch report that the memory is too small.
  void memory_fits(int largest) {
    stage_.trainer = [largest](const LaunchRequest& request) {
      FakeTrainer trainer;
      for (std::size_t i = 0; i + 1 < request.command.size(); ++i)
        if (request.command[i] == "--batch" && std::stoi(request.command[i + 1]) > largest)
          trainer.failure = "out-of-memory";
      return trainer;
    };
  }

  TemporaryFolder folder_;
  FakeStage stage_;
  SessionOptions options_;
  std::function<bool()> interrupted_;
  int rounds_ = 3;
};

TEST_F(Sessions, MeasureEveryCellOnceInEveryRound) {
  const SessionOutcome outcome = measure();
  EXPECT_EQ(outcome.total, 6U);
  EXPECT_EQ(outcome.done, 6U);
  EXPECT_EQ(outcome.failed, 0U);
  const auto pairs = recorded();
  EXPECT_EQ(pairs.size(), 6U);
  for (const auto& [pair, runs] : pairs) EXPECT_EQ(runs, 1) << pair.first << " " << pair.second;
  const JournalContents journal = contents();
  for (std::size_t i = 1; i < journal.runs.size(); ++i)
    EXPECT_LE(journal.runs[i - 1].round, journal.runs[i].round) << "round after round";
  EXPECT_EQ(journal.environments.size(), 1U);
  EXPECT_EQ(journal.runs.front().environment, journal.environments.begin()->first);
  EXPECT_EQ(journal.runs.back().seed, journal.runs.front().seed + 2);
}

TEST_F(Sessions, KeepTheEnvironmentOfEveryNodeOnce) {
  NodeReport node{"host1", {{"cpu", "fast"}}, {{"samples", 2}}, {}, {}, {}};
  NodeReport other{"host2", {{"cpu", "slow"}}, {{"samples", 2}}, {}, {}, {}};
  for (NodeReport* one : {&node, &other}) one->power.emplace_back().sampled_watts = 100;
  stage_.trainer = [&](const LaunchRequest&) {
    FakeTrainer trainer;
    trainer.nodes = {node, other};
    return trainer;
  };
  measure();
  const JournalContents journal = contents();
  EXPECT_EQ(journal.environments.size(), 3U) << "that of the bench, too";
  for (const RunRecord& run : journal.runs) {
    ASSERT_EQ(run.nodes.size(), 2U);
    EXPECT_EQ(run.environment, run.nodes[0].environment) << "that of the machine of rank 0";
    EXPECT_EQ(run.nodes[0].watts, 100);
    EXPECT_DOUBLE_EQ(run.joules_per_item.value(), 200 / run.summary.throughput.value);
    EXPECT_EQ(journal.environments.at(run.nodes[0].environment).at("cpu"), "fast");
    EXPECT_EQ(journal.environments.at(run.nodes[1].environment).at("cpu"), "slow");
    const auto differ =
        std::find_if(run.verdicts.begin(), run.verdicts.end(),
                     [](const Verdict& v) { return v.name == verdicts::nodes_differ; });
    ASSERT_NE(differ, run.verdicts.end());
    EXPECT_NE(differ->message.find("host2"), std::string::npos) << differ->message;
  }
}

TEST_F(Sessions, GoOnWhereTheyWereInterrupted) {
  interrupted_ = [this] { return stage_.started.size() > 2; };
  EXPECT_THROW(measure(), Interrupted);
  EXPECT_EQ(recorded().size(), 2U);
  interrupted_ = nullptr;
  options_.resume = true;
  EXPECT_EQ(measure().done, 6U);
  const auto pairs = recorded();
  EXPECT_EQ(pairs.size(), 6U);
  for (const auto& [pair, runs] : pairs) EXPECT_EQ(runs, 1) << pair.first << " " << pair.second;
  EXPECT_EQ(contents().environments.size(), 1U);
}

TEST_F(Sessions, DoOnlyTheRoundsThatAreNew) {
  measure();
  options_.resume = true;
  rounds_ = 5;
  EXPECT_EQ(measure().done, 10U);
  EXPECT_EQ(recorded().size(), 10U);
  EXPECT_EQ(stage_.started.size(), 10U);
}

TEST_F(Sessions, DoFailedPairsAgainOnlyWhenAsked) {
  stage_.trainer = [this](const LaunchRequest&) {
    return FakeTrainer{.failure = stage_.started.size() == 2 ? "other" : ""};
  };
  EXPECT_EQ(measure().failed, 1U);
  options_.resume = true;
  EXPECT_EQ(measure().failed, 1U);
  EXPECT_EQ(stage_.started.size(), 6U);
  options_.retry_failed = true;
  const SessionOutcome outcome = measure();
  EXPECT_EQ(outcome.done, 6U);
  EXPECT_EQ(outcome.failed, 0U);
  EXPECT_EQ(stage_.started.size(), 7U);
  EXPECT_EQ(recorded().size(), 6U);
}

TEST_F(Sessions, TellASkippedCellOnce) {
  const char* const with_missing =
      "matrix: {workload: resnet50, framework: [jax:eager, paddle], size: small, batch: 8}\n"
      "measure: {rule: fixed, steps: 20, skip: 5}\n";
  measure(with_missing);
  EXPECT_EQ(contents().skips.size(), 1U);
  options_.resume = true;
  rounds_ = 4;
  measure(with_missing);
  EXPECT_EQ(contents().skips.size(), 1U);
}

TEST_F(Sessions, RefuseAFolderThatHoldsOtherRuns) {
  measure();
  EXPECT_NE(user_error_of([&] { measure(); }).find("already holds 6 runs"), std::string::npos);
  options_.resume = true;
  const std::string other = std::string(two_cells) + "seed: 5\n";
  EXPECT_NE(user_error_of([&] { measure(other); }).find("another version of the suite"),
            std::string::npos);
  options_.overrides = {"--seed 7"};
  EXPECT_NE(user_error_of([&] { measure(); }).find("other options (none)"), std::string::npos);
}

TEST_F(Sessions, GoOnWithASuiteThatSaysTheSame) {
  measure();
  options_.resume = true;
  options_.overrides = {"--time-limit 20m"};
  options_.only = {"jax"};
  rounds_ = 4;
  EXPECT_EQ(measure(std::string("# a comment\ntitle: another\n") + two_cells).done, 8U);
  EXPECT_EQ(contents().suites.back().only, std::vector<std::string>{"jax"});
}

TEST_F(Sessions, WriteNothingWhereNothingIsLeftToDo) {
  measure();
  const std::size_t sessions = contents().suites.size();
  options_.resume = true;
  const SessionOutcome outcome = measure();
  EXPECT_EQ(outcome.total, 6U);
  EXPECT_EQ(outcome.done, 6U);
  EXPECT_EQ(contents().suites.size(), sessions);
}

/// The first of the two cells, as if the other could not be measured yet.
const char* const only_jax =
    "matrix: {workload: resnet50, framework: jax:eager, size: small, batch: 8}\n"
    "measure: {rule: fixed, steps: 20, skip: 5}\n";

TEST_F(Sessions, GoOnWithTheCellsTheyWereBegunWith) {
  // Two plans of one suite: the text is the same, and what can be measured has become more.
  const auto measure_plan = [&](const char* planned) {
    Suite suite = parse_suite(planned, "s.yaml");
    suite.text = two_cells;
    const Catalog catalog = sample_catalog(/*with_gpu=*/true);
    Measuring measuring = settle_measuring(suite);
    measuring.rounds = rounds_;
    measuring.launcher = std::make_shared<FakeLauncher>(stage_);
    return measure_suite(suite, make_plan(suite, catalog), catalog, measuring, options_,
                         *silent_progress(), interrupted_);
  };
  interrupted_ = [this] { return stage_.started.size() > 1; };
  EXPECT_THROW(measure_plan(only_jax), Interrupted);
  interrupted_ = nullptr;
  options_.resume = true;
  EXPECT_EQ(measure_plan(two_cells).done, 3U);
  EXPECT_EQ(recorded().size(), 3U);
  options_.more_cells = true;
  EXPECT_EQ(measure_plan(two_cells).done, 6U);
  EXPECT_EQ(recorded().size(), 6U);
  options_.more_cells = false;
  rounds_ = 4;
  EXPECT_EQ(measure_plan(two_cells).done, 8U) << "what was added belongs to it";
}

TEST_F(Sessions, LeaveTheFoldersOfRunsAlone) {
  interrupted_ = [this] { return stage_.started.size() > 1; };
  EXPECT_THROW(measure(), Interrupted);
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(options_.folder / "runs"))
    left.insert(entry.path().filename().string());
  EXPECT_EQ(left.size(), 2U);
  interrupted_ = nullptr;
  options_.resume = true;
  measure();
  std::set<std::string> ids;
  for (const RunRecord& run : contents().runs) ids.insert(run.id);
  EXPECT_EQ(ids.size(), 6U);
  std::size_t common = 0;
  for (const std::string& name : left) common += ids.count(name);
  EXPECT_EQ(common, 1U) << "only the run that was recorded then";
}

TEST_F(Sessions, TryNoLargerBatchOnceTheMemoryWasTooSmall) {
  memory_fits(16);
  rounds_ = 2;
  const SessionOutcome outcome = measure(
      "matrix: {workload: resnet50, framework: jax:eager, size: small, batch: [8, 16, 32, 64]}\n"
      "measure: {rule: fixed, steps: 20, skip: 5}\n");
  const auto pairs = recorded();
  std::size_t well = 0;
  for (const RunRecord& run : contents().runs) well += run.ok ? 1 : 0;
  EXPECT_EQ(well, 4U);  // two cells that fit, in two rounds
  EXPECT_EQ(outcome.failed, pairs.size() - 4);
  EXPECT_GE(outcome.failed, 1U);
  EXPECT_LE(outcome.failed, 2U) << "64 may come before 32 in the first round, and then no more";
}

TEST_F(Sessions, StepDownFromABatchThatDoesNotFit) {
  memory_fits(100);
  rounds_ = 2;
  const std::string text =
      "matrix: {workload: resnet50, framework: jax:eager, size: small, batch: at most 128}\n"
      "measure: {rule: fixed, steps: 20, skip: 5}\n";
  EXPECT_EQ(measure(text).failed, 0U);
  const JournalContents journal = contents();
  ASSERT_EQ(journal.batches.size(), 1U);
  EXPECT_EQ(journal.batches[0].at_most, 128);
  ASSERT_EQ(journal.runs.size(), 2U);
  for (const RunRecord& run : journal.runs) EXPECT_EQ(run.cell.batch, 96);
  const std::size_t started = stage_.started.size();
  options_.resume = true;
  measure(text);
  EXPECT_EQ(stage_.started.size(), started) << "neither search nor runs are done again";
}

TEST_F(Sessions, TakeTheNextSmallerWhereTheMeasuredRunDoesNotFit) {
  // Short runs get by with less than the measured ones, as where memory is torn to pieces.
  stage_.trainer = [](const LaunchRequest& request) {
    FakeTrainer trainer;
    int batch = 0, steps = 0;
    for (std::size_t i = 0; i + 1 < request.command.size(); ++i) {
      if (request.command[i] == "--batch") batch = std::stoi(request.command[i + 1]);
      if (request.command[i] == "--steps") steps = std::stoi(request.command[i + 1]);
    }
    if (batch > (steps < 20 ? 100 : 80)) trainer.failure = "out-of-memory";
    return trainer;
  };
  rounds_ = 2;
  const SessionOutcome outcome = measure(
      "matrix: {workload: resnet50, framework: jax:eager, size: small, batch: at most 128}\n"
      "measure: {rule: fixed, steps: 20, skip: 5}\n");
  EXPECT_EQ(outcome.failed, 0U);
  const JournalContents journal = contents();
  std::vector<int> well, badly;
  for (const RunRecord& run : journal.runs) (run.ok ? well : badly).push_back(run.cell.batch);
  EXPECT_EQ(well, (std::vector<int>{80, 80}));
  EXPECT_EQ(badly, (std::vector<int>{96, 88}));
  EXPECT_EQ(journal.batches.back().cell.batch, 80);
}

TEST_F(Sessions, MeasureTheLargestBatchThatFits) {
  memory_fits(100);
  rounds_ = 2;
  const std::string text =
      "matrix: {workload: resnet50, framework: jax:eager, size: small, batch: max}\n"
      "measure: {rule: fixed, steps: 20, skip: 5}\n";
  EXPECT_EQ(measure(text).done, 2U);
  const JournalContents journal = contents();
  ASSERT_EQ(journal.batches.size(), 1U);
  EXPECT_GT(journal.batches[0].cell.batch, 96);
  EXPECT_EQ(recorded().size(), 2U);
  EXPECT_EQ(journal.runs[0].cell.batch, journal.batches[0].cell.batch);
  // Neither the search nor the runs are done again.
  const std::size_t started = stage_.started.size();
  options_.resume = true;
  measure(text);
  EXPECT_EQ(stage_.started.size(), started);
}

const char* const in_turns =
    "matrix: {workload: resnet50, framework: [jax:eager, libtorch:eager], size: small, batch: 8}\n"
    "measure: {rule: turns, turn_seconds: 0.01, turn_steps: 3, max_seconds: 0.5}\n";

std::vector<std::string> warnings_of(const JournalContents& journal) {
  std::vector<std::string> messages;
  for (const RunRecord& run : journal.runs)
    for (const Verdict& verdict : run.verdicts)
      if (verdict.name == verdicts::no_turns) messages.push_back(verdict.message);
  return messages;
}

TEST_F(Sessions, CompareWhoFoundNoMemoryWithTheFirstOnceMore) {
  rounds_ = 1;
  // Three may be alive, and the third finds no memory beside two others.
  const std::string three =
      "matrix: {workload: resnet50, framework: [jax:eager, jax:graph, libtorch:eager], size: "
      "small, "
      "batch: 8}\nmeasure: {rule: turns, turn_seconds: 0.01, turn_steps: 3, max_seconds: 0.5}\n";
  int starts = 0;
  stage_.trainer = [&](const LaunchRequest&) {
    FakeTrainer trainer;
    if (++starts == 3) trainer.failure = "out-of-memory";
    return trainer;
  };
  const SessionOutcome outcome = measure(three);
  EXPECT_EQ(outcome.total, 3U);
  EXPECT_EQ(outcome.done, 3U);
  EXPECT_EQ(outcome.failed, 0U);
  const JournalContents journal = contents();
  EXPECT_EQ(journal.runs.size(), 4U) << "the first one twice";
  ASSERT_EQ(journal.turns.size(), 2U);
  EXPECT_EQ(journal.turns[1].runs.size(), 2U);
  EXPECT_TRUE(warnings_of(journal).empty());
  const std::vector<Result> results = results_of(journal);
  ASSERT_EQ(results.size(), 3U);
  EXPECT_TRUE(results[0].is_turn_base);
  for (const std::size_t other : {1U, 2U}) {
    ASSERT_TRUE(results[other].versus);
    EXPECT_EQ(results[other].versus->base, results[0].cell);
  }
}

TEST_F(Sessions, SayThatThereWasNoMemoryForTwo) {
  rounds_ = 1;
  int starts = 0;
  stage_.trainer = [&](const LaunchRequest&) {
    FakeTrainer trainer{.most_steps = 400};
    if (++starts == 2) trainer.failure = "out-of-memory";
    return trainer;
  };
  const SessionOutcome outcome = measure(in_turns);
  EXPECT_EQ(outcome.done, 2U);
  EXPECT_EQ(outcome.failed, 0U);
  for (const RunRecord& run : contents().runs) EXPECT_TRUE(run.ok) << run.reason;
  const auto warnings = warnings_of(contents());
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("not enough memory"), std::string::npos) << warnings[0];
}

TEST_F(Sessions, SayThatALauncherCannotHold) {
  rounds_ = 1;
  stage_.trainer = [](const LaunchRequest&) { return FakeTrainer{.most_steps = 400}; };
  measure(std::string(in_turns) + "hosts: [elsewhere]\n");
  const JournalContents journal = contents();
  EXPECT_EQ(journal.runs.size(), 2U);
  EXPECT_TRUE(journal.turns.empty());
  const auto warnings = warnings_of(journal);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("cannot pause its ranks"), std::string::npos) << warnings[0];
}

TEST_F(Sessions, KeepTheProofsOfWhatIsMeasured) {
  Proof proof;
  proof.cell = {"resnet50", "tiny", "jax:eager", "fp32", 2, 1, "cpu", {}};
  Proof other = proof;
  other.cell.workload = "bert";
  options_.proofs = {proof, other};
  measure();
  EXPECT_EQ(contents().proofs.size(), 1U);
}

}  // namespace
}  // namespace trainmark
