// Runs against a made-up launcher: no process is started, and time passes only when the bench
// waits.

#include "bench/run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "bench/active_run.h"
#include "bench/fake_launcher.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

class Runs : public testing::Test {
 protected:
  Runs() {
    measuring_ = settle_measuring(
        parse_suite("matrix: {workload: a}\nmeasure: {rule: fixed, steps: 20, skip: 5}", "s.yaml"));
    measuring_.launcher = std::make_shared<FakeLauncher>(stage_);
    measuring_.time_limit = 60;
  }

  RunTask task(Scale scale = {}, const std::string& id = "0001-a-r1") const {
    RunTask task;
    task.id = id;
    task.planned.cell = {"a", "small", "f:eager", "fp32", 8, 1, "cpu", scale};
    task.planned.unit = "images";
    task.folder = folder_.path();
    task.run_folder = folder_ / ("runs/" + id);
    LaunchRequest request;
    request.command = {"trainer"};
    request.scale = scale;
    task.request = request;
    make_empty_folder(task.run_folder);
    return task;
  }

  RunRecord perform(const RunTask& task) {
    RunHooks hooks;
    hooks.now = [this] { return stage_.now; };
    return perform_run(task, measuring_, hooks);
  }

  void trainers_are(const FakeTrainer& trainer) {
    stage_.trainer = [trainer](const LaunchRequest&) { return trainer; };
  }

  TemporaryFolder folder_;
  FakeStage stage_;
  Measuring measuring_;
};

bool has_verdict(const RunRecord& record, const std::string& name) {
  return std::any_of(record.verdicts.begin(), record.verdicts.end(),
                     [&](const Verdict& verdict) { return verdict.name == name; });
}

using Sent = std::vector<std::string>;

TEST_F(Runs, AreStoppedWhenTheRuleHasEnough) {
  const RunRecord record = perform(task());
  EXPECT_TRUE(record.ok) << record.reason;
  EXPECT_EQ(record.summary.throughput.value, 8);
  EXPECT_GE(record.summary.steps, 20U);
  EXPECT_LT(record.summary.steps, 24U);
  EXPECT_EQ(stage_.sent, Sent{"stop"});
  EXPECT_EQ(record.folder, "runs/0001-a-r1");
  EXPECT_TRUE(record.conditions.contains("bench_cpu_seconds"));
  const std::string events = read_file(folder_ / "runs/0001-a-r1/events.jsonl", 100'000);
  EXPECT_EQ(std::count(events.begin(), events.end(), '\n'),
            static_cast<std::ptrdiff_t>(record.summary.steps) + 1);
}

TEST_F(Runs, MayEndByThemselvesAfterTheStepsTheyWereGiven) {
  trainers_are({.most_steps = 20});
  const RunRecord record = perform(task());
  EXPECT_TRUE(record.ok) << record.reason;
  EXPECT_EQ(record.summary.steps, 20U);
}

TEST_F(Runs, AreEndedByForceWhereTheTrainerDoesNotStop) {
  trainers_are({.answers_stop = false, .answers_terminate = false});
  const RunRecord record = perform(task());
  EXPECT_TRUE(record.ok) << record.reason;  // its steps are good
  EXPECT_TRUE(has_verdict(record, "did-not-stop"));
  EXPECT_EQ(std::count(stage_.sent.begin(), stage_.sent.end(), "terminate"), 1);
  EXPECT_EQ(stage_.sent.back(), "kill");
  EXPECT_GT(record.seconds, 15);
}

TEST_F(Runs, EndAtTheTimeLimit) {
  measuring_ = with_fixed_steps(measuring_, 100'000, 0);
  const RunRecord record = perform(task());
  EXPECT_FALSE(record.ok);
  EXPECT_EQ(record.failure, "timeout");
  EXPECT_EQ(stage_.sent, Sent{"terminate"});
  EXPECT_NEAR(record.seconds, 60, 1);
}

TEST_F(Runs, ThatHangWereNotAskedToStop) {
  measuring_ = with_fixed_steps(measuring_, 100'000, 0);
  trainers_are({.answers_terminate = false});
  const RunRecord record = perform(task());
  EXPECT_EQ(record.failure, "timeout");
  EXPECT_EQ(stage_.sent.back(), "kill");
  EXPECT_FALSE(has_verdict(record, "did-not-stop"));
}

TEST_F(Runs, EndAtTheFirstBrokenEvent) {
  trainers_are({.says = "rubbish"});
  const RunRecord record = perform(task());
  EXPECT_EQ(record.failure, "bad-events");
  EXPECT_LT(record.seconds, 1);
}

TEST_F(Runs, AreJudgedByWhatTheTrainerReports) {
  trainers_are({.failure = "out-of-memory"});
  const RunRecord record = perform(task());
  EXPECT_FALSE(record.ok);
  EXPECT_EQ(record.failure, "out-of-memory");
  EXPECT_EQ(record.reason, "as the test wants");
}

TEST_F(Runs, OfSeveralRanksEndWithTheFirstThatFails) {
  trainers_are({.crashes_after = 3, .crashing_rank = 1});
  const RunRecord record = perform(task(Scale{1, 3}));
  EXPECT_EQ(record.failure, "crash");
  EXPECT_NE(record.reason.find("rank 1"), std::string::npos) << record.reason;
  EXPECT_EQ(stage_.sent, Sent{"terminate"});
}

TEST_F(Runs, OfSeveralRanksCountTheItemsOfAll) {
  const RunRecord record = perform(task(Scale{1, 3}));
  EXPECT_TRUE(record.ok) << record.reason;
  EXPECT_EQ(record.summary.throughput.value, 24);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "runs/0001-a-r1/events.2.jsonl"));
}

TEST_F(Runs, AreGivenUpWhenInterrupted) {
  RunHooks hooks;
  hooks.now = [this] { return stage_.now; };
  std::size_t steps = 0;
  hooks.progress = [&](const RunView& view) { steps = view.steps; };
  hooks.interrupted = [&] { return steps >= 3; };
  EXPECT_THROW(perform_run(task(), measuring_, hooks), Interrupted);
  EXPECT_EQ(stage_.sent, Sent{"terminate"});
}

/// Slurm, for one, ends a job's runs before the bench.
TEST_F(Runs, ThatEndBecauseTheirJobDoesAreNoResult) {
  stage_.has_machines = false;
  EXPECT_TRUE(perform(task()).ok) << "it was finished";
  trainers_are({.crashes_after = 3});
  EXPECT_THROW(perform(task({}, "0002-a-r1")), Interrupted);
  trainers_are({.most_steps = 12});
  EXPECT_THROW(perform(task({}, "0003-a-r1")), Interrupted)
      << "it stopped when it was asked to end";
}

TEST_F(Runs, OfTwoTrainersCanBeAliveTogether) {
  const RunTask tasks[] = {task({}, "one"), task({}, "two")};
  ActiveRun one(tasks[0], measuring_, stage_.now);
  ActiveRun two(tasks[1], measuring_, stage_.now);
  ActiveRun* in_turn[] = {&one, &two};
  bool alive[] = {true, true};
  while (alive[0] || alive[1]) {
    for (int turn = 0; turn < 2; ++turn) {
      if (alive[turn]) alive[turn] = in_turn[turn]->wait(0.05);
      if (alive[turn]) in_turn[turn]->look(stage_.now);
    }
  }
  for (ActiveRun* run : in_turn) {
    const RunRecord record = run->finish(stage_.now);
    EXPECT_TRUE(record.ok) << record.reason;
    EXPECT_EQ(record.summary.throughput.value, 8);
  }
  EXPECT_EQ(stage_.sent, (Sent{"stop", "stop"}));
}

}  // namespace
}  // namespace trainmark
