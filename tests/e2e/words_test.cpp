// What is said on the command line goes before what files say.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

TEST(MeasureWords, TheCommandIsTakenAsItStands) {
  const Outcome outcome =
      trainmark({"measure", "--dry-run", "--", "/usr/bin/env", "/opt/some/train.py", "{batch}"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(outcome.output.starts_with("train: ")) << outcome.output;
  EXPECT_NE(outcome.output.find("'{batch}'"), std::string::npos) << outcome.output;
}

TEST(JobWords, AJobHasRoomForTheLargestCell) {
  const TemporaryFolder folder;
  write_text(
      folder / "s.yaml",
      "matrix: {workload: clock, framework: clock, size: tiny, scale: [1n1g, 2n4g, 4n1g]}\n");
  const Outcome outcome =
      trainmark({"run", (folder / "s.yaml").string(), "--launcher", "slurm", "--dry-run"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("#SBATCH --nodes=4\n"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("#SBATCH --ntasks-per-node=4\n"), std::string::npos);
}

TEST(ExtractWords, TheUserGoesBeforeTheFilesName) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "1n8g");
  std::string log;
  for (int step = 1; step <= 30; ++step)
    log += fmt::format("[TRAIN] epoch: 1, iter: {}/400, loss: 1.5, batch_cost: 0.5, ips: 16.0\n",
                       10 * step);
  const std::string file = (folder / "1n8g" / "r50_b8_fp32_1.log").string();
  write_text(file, log);
  const auto gpus = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"extract", file, "--format", "json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = trainmark(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return outcome.output;
  };
  EXPECT_NE(gpus({}).find("\"gpus\": 8"), std::string::npos) << gpus({});
  EXPECT_NE(gpus({"--gpus", "4"}).find("\"gpus\": 4"), std::string::npos);
}

TEST(ExtractWords, ALogWithoutAFigureIsAFailure) {
  const TemporaryFolder folder;
  std::string log;
  for (int step = 1; step <= 30; ++step)
    log += fmt::format("Iter [{}/400]\tlr: 0.1, time: 0.5, data_time: 0.4, loss: 3.0\n", step);
  write_text(folder / "a.log", log);
  const std::string file = (folder / "a.log").string();
  EXPECT_EQ(trainmark({"extract", file, "--dialect", "mmcv", "--gpus", "8"}).code, 1);
  EXPECT_EQ(trainmark({"extract", file, "--dialect", "mmcv", "--gpus", "8", "--batch", "4"}).code,
            0);
}

}  // namespace
}  // namespace trainmark::e2e
