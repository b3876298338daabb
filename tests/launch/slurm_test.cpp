// Slurm as the bench sees it, with programs in its place that do what they are told; the real one
// is in tests/cluster.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "launch/launcher.h"
#include "temporary_folder.h"
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

/// Programs named as Slurm's, before all others in PATH.
class SlurmPrograms : public testing::Test {
 protected:
  SlurmPrograms() : path_(std::getenv("PATH")) {
    setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
    add("scancel", "echo $1 > " + (folder_ / "cancelled").string());
  }
  ~SlurmPrograms() override { setenv("PATH", path_.c_str(), 1); }

  void add(const std::string& name, const std::string& script) const {
    write_file_atomically(folder_ / name, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }

  std::unique_ptr<Submission> submit() {
    return slurm_scheduler()->submit("job.sh", [this](const std::string& line) { said_ += line; });
  }

  std::string said_;
  TemporaryFolder folder_;

 private:
  std::string path_;
};

TEST_F(SlurmPrograms, SubmitAndFollowAJob) {
  add("sbatch",
      "echo '12;here'; until [ -e " + (folder_ / "end").string() + " ]; do sleep 0.01; done");
  const auto job = submit();
  while (said_.empty()) ASSERT_TRUE(job->wait(0.01));
  EXPECT_EQ(said_, "job 12 was submitted; it is cancelled with Ctrl-C or scancel 12");
  write_file_atomically(folder_ / "end", "");
  while (job->wait(0.01)) {
  }
  EXPECT_TRUE(job->ended_well());
}

TEST_F(SlurmPrograms, CancelAJobOnce) {
  const std::string cancelled = (folder_ / "cancelled").string();
  add("sbatch",
      "echo 12; until [ -e " + cancelled + " ]; do sleep 0.01; done; echo gone >&2; exit 1");
  const auto job = submit();
  while (said_.empty()) ASSERT_TRUE(job->wait(0.01));
  job->cancel();
  EXPECT_EQ(read_file(cancelled, 100), "12\n");
  write_file_atomically(cancelled, "once");
  job->cancel();
  while (job->wait(0.01)) {
  }
  EXPECT_FALSE(job->ended_well());
  EXPECT_EQ(read_file(cancelled, 100), "once");
  EXPECT_NE(said_.find("job 12 did not end well: gone"), std::string::npos) << said_;
}

TEST_F(SlurmPrograms, EndASubmissionThatHasNoNumberYet) {
  add("sbatch", "sleep 1000");
  const auto job = submit();
  job->cancel();
  while (job->wait(0.01)) {
  }
  EXPECT_FALSE(job->ended_well());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cancelled"));
}

TEST_F(SlurmPrograms, TellWhyAJobIsRefused) {
  add("sbatch", "echo 'no such partition' >&2; exit 1");
  const auto job = submit();
  const std::string refusal = user_error_of([&] {
    while (job->wait(0.01)) {
    }
  });
  EXPECT_EQ(refusal, "sbatch refused the job: no such partition");
}

}  // namespace
}  // namespace trainmark
