// Runs that take turns, against a made-up launcher: time passes only when the bench waits.

#include "bench/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/fake_launcher.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

class TakingTurns : public testing::Test {
 protected:
  TakingTurns() {
    measuring_ = settle_measuring(parse_suite(
        "matrix: {workload: a}\nmeasure: {rule: turns, turn_seconds: 0.1, turn_steps: 3}",
        "s.yaml"));
    measuring_.launcher = std::make_shared<FakeLauncher>(stage_);
    measuring_.time_limit = 600;
    stage_.trainer = [this](const LaunchRequest& request) {
      return trainers_.at(request.command.front());
    };
    hooks_.now = [this] { return stage_.now; };
    hooks_.free_memories = [this] { return std::vector<double>{free_bytes_, free_gpu_bytes_}; };
  }

  /// A run for each trainer, in this order.
  void enter(std::vector<std::pair<std::string, FakeTrainer>> trainers) {
    for (auto& [name, trainer] : trainers) {
      RunTask task;
      task.id = name;
      task.planned.cell = {"a", "small", name, "fp32", 8, 1, "cpu", {}};
      task.planned.unit = "images";
      task.folder = folder_.path();
      task.run_folder = folder_ / ("runs/" + name);
      LaunchRequest request;
      request.command = {name};
      task.request = request;
      make_empty_folder(task.run_folder);
      tasks_.push_back(task);
      trainers_.emplace(name, std::move(trainer));
    }
  }

  TurnsResult perform() { return perform_in_turns(tasks_, measuring_, hooks_); }

  std::size_t sent(const std::string& signal) const {
    return static_cast<std::size_t>(std::count(stage_.sent.begin(), stage_.sent.end(), signal));
  }

  TemporaryFolder folder_;
  FakeStage stage_;
  Measuring measuring_;
  TurnHooks hooks_;
  std::map<std::string, FakeTrainer> trainers_;
  std::vector<RunTask> tasks_;
  double free_bytes_ = 1e12;
  double free_gpu_bytes_ = 1e11;
};

TEST_F(TakingTurns, GivesTheRatioOfEveryPair) {
  enter({{"a", {.step_seconds = 1}}, {"b", {.step_seconds = 2}}, {"c", {.step_seconds = 4}}});
  const TurnsResult result = perform();
  ASSERT_EQ(result.records.size(), 3U);
  for (const RunRecord& record : result.records) EXPECT_TRUE(record.ok) << record.reason;
  EXPECT_EQ(result.turns.runs, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(result.turns.converged);
  EXPECT_DOUBLE_EQ(paired_ratio(result.turns.blocks, 0, 2).ratio, 4);
  EXPECT_DOUBLE_EQ(paired_ratio(result.turns.blocks, 1, 0).ratio, 0.5);
  EXPECT_EQ(result.records[1].summary.throughput.value, 4);
}

TEST_F(TakingTurns, LetsOneWorkAtATime) {
  enter({{"a", {}}, {"b", {}}});
  const TurnsResult result = perform();
  const auto& worked = stage_.worked;
  std::size_t changes = 0;
  for (std::size_t i = 1; i < worked.size(); ++i) changes += worked[i] != worked[i - 1];
  // There and back again: two changes inside a block of two, and at most one before it.
  EXPECT_LE(changes, 3 * result.turns.blocks.size());
  EXPECT_GE(changes, 2 * result.turns.blocks.size());
  EXPECT_GE(sent("pause"), 2 * result.turns.blocks.size());
  EXPECT_EQ(sent("hold"), 0U);
}

TEST_F(TakingTurns, CountsNoStepOfTheWarmUpAndNoneThatHoldsAPause) {
  enter({{"a", {}}, {"b", {}}});
  const TurnsResult result = perform();
  for (const RunRecord& record : result.records) {
    EXPECT_GE(record.summary.warmup, 4U);
    EXPECT_EQ(record.summary.throughput.value, 8);  // as if there had been no pause
  }
}

TEST_F(TakingTurns, StopsTheOneThatDoesNotPause) {
  enter({{"a", {}}, {"deaf", {.answers_pause = false}}});
  const TurnsResult result = perform();
  EXPECT_EQ(result.records.size(), 2U);
  EXPECT_GE(sent("hold"), result.turns.blocks.size());
  EXPECT_DOUBLE_EQ(paired_ratio(result.turns.blocks, 0, 1).ratio, 1);
}

/// A trainer that pauses trains nothing, but its workers would make batches in the others' turns.
TEST_F(TakingTurns, StopsTheWorkersOfADataSetInThePause) {
  enter({{"a", {}}, {"reading", {}}});
  tasks_[1].planned.cell.data = "pictures";
  const TurnsResult result = perform();
  ASSERT_EQ(result.records.size(), 2U);
  EXPECT_GE(sent("hold"), result.turns.blocks.size());
  EXPECT_LT(sent("hold"), sent("pause")) << "the other one only pauses";
  for (const RunRecord& record : result.records) {
    EXPECT_TRUE(record.ok) << record.reason;
    EXPECT_EQ(record.summary.throughput.value, 8);
  }
}

TEST_F(TakingTurns, GoesOnWithoutTheOneThatCrashes) {
  enter({{"a", {}}, {"b", {.crashes_after = 40}}, {"c", {}}});
  const TurnsResult result = perform();
  ASSERT_EQ(result.records.size(), 3U);
  EXPECT_TRUE(result.records[0].ok);
  EXPECT_FALSE(result.records[1].ok);
  EXPECT_EQ(result.records[1].failure, "crash");
  EXPECT_TRUE(result.records[2].ok);
  EXPECT_TRUE(result.turns.converged);
  EXPECT_GT(paired_ratio(result.turns.blocks, 0, 2).blocks,
            paired_ratio(result.turns.blocks, 0, 1).blocks);
}

TEST_F(TakingTurns, CountsNoBlockOfWhichOneTurnIsMissing) {
  for (std::size_t steps = 30; steps < 46; ++steps) {
    tasks_.clear();
    const std::string tail = std::to_string(steps);
    enter({{"a" + tail, {}}, {"b" + tail, {.crashes_after = steps}}});
    for (const TurnBlock& block : perform().turns.blocks)
      EXPECT_TRUE(std::isnan(block[1]) || block[1] == block[0]) << "crashed after step " << steps;
  }
}

TEST_F(TakingTurns, LeavesNothingToCompareWhereAllButOneFailAtOnce) {
  enter({{"a", {}}, {"b", {.failure = "unsupported"}}});
  const TurnsResult result = perform();
  ASSERT_EQ(result.records.size(), 1U);
  EXPECT_EQ(result.records[0].failure, "unsupported");
  EXPECT_EQ(result.left_over, 0U);
  EXPECT_TRUE(result.turns.runs.empty());
}

TEST_F(TakingTurns, PostponesTheOneThatFindsNoMemoryBesideTheOthers) {
  enter({{"a", {}}, {"b", {.failure = "out-of-memory"}}, {"c", {}}});
  const TurnsResult result = perform();
  EXPECT_EQ(result.postponed, std::vector<std::size_t>{1});
  ASSERT_EQ(result.records.size(), 2U);
  EXPECT_EQ(result.records[1].id, "c");
  EXPECT_EQ(result.turns.runs, (std::vector<std::string>{"a", "c"}));
}

TEST_F(TakingTurns, ReportsTheOneThatFindsNoMemoryAlone) {
  enter({{"a", {.failure = "out-of-memory"}}, {"b", {}}});
  const TurnsResult result = perform();
  EXPECT_TRUE(result.postponed.empty());
  EXPECT_EQ(result.records[0].failure, "out-of-memory");
}

TEST_F(TakingTurns, StartsNoMoreThanTheMemoryHolds) {
  enter({{"a", {}}, {"b", {}}, {"c", {}}});
  hooks_.started = [this](const RunTask&) { free_bytes_ -= 4e11; };
  // Free memory is read before a start; each takes 4e11 of 1e12, and 1.25 times that must be left.
  const TurnsResult result = perform();
  EXPECT_EQ(result.postponed, std::vector<std::size_t>{2});
  EXPECT_EQ(result.turns.runs, (std::vector<std::string>{"a", "b"}));
}

TEST_F(TakingTurns, StartsNoMoreThanTheMemoryOfAGpuHolds) {
  enter({{"a", {}}, {"b", {}}, {"c", {}}});
  hooks_.started = [this](const RunTask&) { free_gpu_bytes_ -= 4e10; };
  const TurnsResult result = perform();
  EXPECT_EQ(result.postponed, std::vector<std::size_t>{2});
  EXPECT_EQ(result.turns.runs, (std::vector<std::string>{"a", "b"}));
}

TEST_F(TakingTurns, EndsAllWhenInterrupted) {
  enter({{"a", {}}, {"b", {}}});
  hooks_.interrupted = [this] { return stage_.worked.size() > 60; };
  EXPECT_THROW(perform(), Interrupted);
  EXPECT_EQ(sent("terminate"), 2U);
}

TEST_F(TakingTurns, EndsAtTheCap) {
  measuring_.values["max_seconds"] = 1;
  measuring_.values["interval"] = 0.0001;
  measuring_.values["min_blocks"] = 1000;
  enter({{"a", {}}, {"b", {}}});
  const TurnsResult result = perform();
  EXPECT_EQ(result.turns.stopped, "cap");
  EXPECT_FALSE(result.turns.converged);
  EXPECT_GT(result.turns.blocks.size(), 2U);
  EXPECT_TRUE(result.records[0].ok);
}

}  // namespace
}  // namespace trainmark
