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

TEST(JobWords, AJobIsPlannedForWhatItsNodesHave) {
  const TemporaryFolder folder;
  write_text(folder / "train",
             "#!/bin/sh\n"
             R"(echo '{"protocol":1,"versions":{},"devices":[{"name":"cuda","missing":"no GPU"}],)"
             R"("workloads":[{"name":"x","unit":"items","modes":["eager"],"several_ranks":true,)"
             R"("sizes":[{"name":"tiny","batch":1}],"precisions":{"cuda":["fp32"]}}]}')"
             "\n");
  std::filesystem::permissions(folder / "train", std::filesystem::perms::owner_all);
  write_text(folder / "s.yaml",
             fmt::format("matrix: {{workload: x, framework: mine, size: tiny, device: cuda, scale: "
                         "2n1g}}\nframeworks: {{mine: {{program: [{}]}}}}\n",
                         (folder / "train").string()));
  const auto home = empty_home(folder / "home");
  const std::vector<std::string> words = {"run", (folder / "s.yaml").string(), "--dry-run"};
  const Outcome here = trainmark(words, home);
  EXPECT_EQ(here.code, 0) << here.errors;
  EXPECT_NE(here.output.find("no GPU"), std::string::npos) << here.output;
  std::vector<std::string> submitted = words;
  submitted.insert(submitted.end(), {"--launcher", "slurm"});
  const Outcome job = trainmark(submitted, home);
  EXPECT_EQ(job.code, 0) << job.errors;
  EXPECT_NE(job.output.find("#SBATCH --nodes=2\n"), std::string::npos) << job.output;
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

TEST(ExtractWords, TheNameSaysHowManyGpusThereWereWhereNobodyElseDoes) {
  const TemporaryFolder folder;
  std::string log;
  for (int step = 1; step <= 30; ++step)
    log += fmt::format("[TRAIN] epoch: 1, iter: {}/400, loss: 1.5, batch_cost: 0.5, ips: 16.0\n",
                       10 * step);
  const std::string file = (folder / "bert_gpu8_fp32.log").string();
  const auto gpus = [&](const std::string& head, const std::vector<std::string>& more) {
    write_text(file, head + log);
    std::vector<std::string> words = {"extract", file, "--format", "json"};
    words.insert(words.end(), more.begin(), more.end());
    return trainmark(words).output;
  };
  EXPECT_NE(gpus("", {}).find("\"gpus\": 8"), std::string::npos);
  EXPECT_NE(gpus("world_size=2\n", {}).find("\"gpus\": 2"), std::string::npos);
  EXPECT_NE(gpus("", {"--gpus", "4"}).find("\"gpus\": 4"), std::string::npos);
}

TEST(ExtractWords, ALogWithoutAFigureIsAFailure) {
  const TemporaryFolder folder;
  const auto code_where_steps_take = [&](const char* seconds) {
    std::string log;
    for (int step = 1; step <= 30; ++step)
      log += fmt::format("Iter [{}/400]\tlr: 0.1, time: {}, data_time: 0.0, loss: 3.0\n", step,
                         seconds);
    write_text(folder / "a.log", log);
    return trainmark({"extract", (folder / "a.log").string(), "--dialect", "mmcv"}).code;
  };
  EXPECT_EQ(code_where_steps_take("0.000"), 1);
  EXPECT_EQ(code_where_steps_take("0.500"), 0);
}

}  // namespace
}  // namespace trainmark::e2e
