// Slurm as the bench sees it, with programs in its place that do what they are told; the real one
// is in tests/cluster.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "launch/launcher.h"
#include "launch/programs_in_path.h"
#include "patience.h"
#include "user_error.h"

namespace trainmark {
namespace {

std::unique_ptr<Scheduler> slurm_scheduler() {
  unsetenv("SLURM_JOB_ID");
  return Registry<LauncherKind>::find("slurm")->make()->scheduler();
}

SuiteJob sample_job() {
  return {"trainmark-quick",
          Scale{4, 8},
          {"--partition=gpu", "--comment=two words"},
          "/home/a b",
          "/home/results/job.log",
          {"/opt/trainmark", "run", "quick"}};
}

TEST(SlurmScript, AsksForTheNodesAndBecomesTheBench) {
  SuiteJob job = sample_job();
  const std::string script = slurm_scheduler()->script(job);
  for (const char* line :
       {"#!/bin/sh\n", "#SBATCH --nodes=4\n", "#SBATCH --ntasks-per-node=8\n",
        "#SBATCH --partition=gpu\n", "cd '/home/a b' && exec /opt/trainmark run quick\n"}) {
    EXPECT_NE(script.find(line), std::string::npos) << script;
  }
  job.arguments = {"rm -rf x\n"};
  EXPECT_THROW(slurm_scheduler()->script(job), UserError);
}

TEST(SlurmScript, IsNotNeededWithinAnAllocation) {
  setenv("SLURM_JOB_ID", "12", 1);
  EXPECT_EQ(Registry<LauncherKind>::find("slurm")->make()->scheduler(), nullptr);
  unsetenv("SLURM_JOB_ID");
}

class SlurmPrograms : public testing::Test {
 protected:
  SlurmPrograms() { add("scancel", "echo $1 > " + (folder_ / "cancelled").string()); }

  void add(const std::string& name, const std::string& script) const { folder_.add(name, script); }

  std::unique_ptr<Submission> submit() {
    return slurm_scheduler()->submit("job.sh", [this](const std::string& line) { said_ += line; });
  }

  std::string said_;
  ProgramsInPath folder_;
};

TEST_F(SlurmPrograms, SubmitAndFollowAJob) {
  add("sbatch",
      "echo '12;here'; until [ -e " + (folder_ / "end").string() + " ]; do sleep 0.01; done");
  const auto job = submit();
  const Patience patience("the number of a job, and its end");
  while (said_.empty() && patience.left()) ASSERT_TRUE(job->wait(0.01));
  EXPECT_EQ(said_, "submitted job 12; to cancel it, press Ctrl-C or run scancel 12");
  write_file_atomically(folder_ / "end", "");
  while (job->wait(0.01) && patience.left()) {
  }
  EXPECT_TRUE(job->ended_well());
}

TEST_F(SlurmPrograms, CancelAJobOnce) {
  const std::string cancelled = (folder_ / "cancelled").string();
  add("sbatch",
      "echo 12; until [ -e " + cancelled + " ]; do sleep 0.01; done; echo gone >&2; exit 1");
  const auto job = submit();
  const Patience patience("the number of a job, and its end");
  while (said_.empty() && patience.left()) ASSERT_TRUE(job->wait(0.01));
  job->cancel();
  EXPECT_EQ(read_file(cancelled, 100), "12\n");
  write_file_atomically(cancelled, "once");
  job->cancel();
  while (job->wait(0.01) && patience.left()) {
  }
  EXPECT_FALSE(job->ended_well());
  EXPECT_EQ(read_file(cancelled, 100), "once");
  EXPECT_NE(said_.find("job 12 failed: gone"), std::string::npos) << said_;
}

TEST_F(SlurmPrograms, EndASubmissionThatHasNoNumberYet) {
  add("sbatch", "sleep 1000");
  const auto job = submit();
  job->cancel();
  const Patience patience("the end of sbatch");
  while (job->wait(0.01) && patience.left()) {
  }
  EXPECT_FALSE(job->ended_well());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cancelled"));
}

TEST_F(SlurmPrograms, TellWhyAJobIsRefused) {
  add("sbatch", "echo 'no such partition' >&2; exit 1");
  const auto job = submit();
  const Patience patience("the refusal of a job");
  const std::string refusal = user_error_of([&] {
    while (job->wait(0.01) && patience.left()) {
    }
  });
  EXPECT_EQ(refusal, "sbatch refused the job: no such partition");
}

bool has_word(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST_F(SlurmPrograms, StartTheRanksOnTheNodesOfTheAllocation) {
  add("srun", "");
  add("scontrol", "printf 'gpu1\\ngpu2\\ngpu3\\n'");
  setenv("SLURM_JOB_NODELIST", "gpu[1-3]", 1);
  LaunchRequest request;
  request.command = {"trainer"};
  request.scale = Scale{2, 8};
  request.port = 21000;
  const auto words = Registry<LauncherKind>::find("slurm")->make()->plan(request).command;
  unsetenv("SLURM_JOB_NODELIST");
  EXPECT_EQ(words.front(), (folder_ / "srun").string());
  for (const char* word :
       {"--nodes=2", "--ntasks=16", "--ntasks-per-node=8", "--nodelist=gpu1,gpu2"})
    EXPECT_TRUE(has_word(words, word)) << word;
}

/// Why the first rank of a job was lost whose srun prints `notices` and fails.
std::string loss_after(const ProgramsInPath& programs, const std::string& notices) {
  programs.add("srun", "printf -- '" + notices + "' >&2; exit 1");
  programs.add("scontrol", "printf 'gpu1\\ngpu2\\n'");
  setenv("SLURM_JOB_NODELIST", "gpu[1-2]", 1);
  LaunchRequest request;
  request.command = {"trainer"};
  request.scale = Scale{2, 1};
  request.port = 21000;
  const auto job = Registry<LauncherKind>::find("slurm")->make()->start(
      request, [](int, Stream, std::string_view) {});
  unsetenv("SLURM_JOB_NODELIST");
  const Patience patience("the end of srun");
  while (job->wait(0.01) && patience.left()) {
  }
  return job->outcomes().front().lost;
}

TEST_F(SlurmPrograms, ReportTheErrorBehindANotice) {
  EXPECT_EQ(
      loss_after(folder_, "srun: no cpu binding here\\nsrun: error: n1: no such node\\nbye\\n"),
      "srun ended with exit code 1 before this rank was started; it reported: srun: error: n1: "
      "no such node");
  EXPECT_EQ(
      loss_after(folder_, "------\\nmpirun could not start\\nfor a reason\\n"),
      "srun ended with exit code 1 before this rank was started; it reported: mpirun could not "
      "start");
}

/// Whether job 12 still has its nodes, as `scontrol` answers.
bool has_machines(const ProgramsInPath& programs, const std::string& scontrol) {
  programs.add("scontrol", scontrol);
  setenv("SLURM_JOB_ID", "12", 1);
  const bool has = Registry<LauncherKind>::find("slurm")->make()->has_machines();
  unsetenv("SLURM_JOB_ID");
  return has;
}

TEST_F(SlurmPrograms, KnowWhetherTheJobIsBeingEnded) {
  const std::string job = "[ \"$*\" = '--oneliner show job 12' ] && echo 'JobId=12 JobName=a ";
  EXPECT_TRUE(has_machines(folder_, job + "JobState=RUNNING Reason=None'"));
  EXPECT_FALSE(has_machines(folder_, job + "JobState=CANCELLED Reason=None'"));
  EXPECT_FALSE(has_machines(folder_, job + "JobState=TIMEOUT'"));
  EXPECT_TRUE(has_machines(folder_, "echo 'slurm_load_jobs error' >&2; exit 1"));
}

TEST_F(SlurmPrograms, HaveNodesOnlyWithinAnAllocation) {
  add("srun", "");
  unsetenv("SLURM_JOB_NODELIST");
  const auto plan = [] { Registry<LauncherKind>::find("slurm")->make()->plan({}); };
  EXPECT_NE(user_error_of(plan).find("not a Slurm allocation"), std::string::npos);
}

}  // namespace
}  // namespace trainmark
