// Several trainmark-train as the ranks of one job.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <numeric>

#include "base/safetensors.h"
#include "temporary_folder.h"
#include "trainers/support/ranks.h"

namespace trainmark::test {
namespace {

using Words = std::vector<std::string>;

Words tiny(const std::string& workload, int batch, int steps, const Words& more = {}) {
  Words words = {"trainmark-train",
                 "--workload",
                 workload,
                 "--size",
                 "tiny",
                 "--batch",
                 std::to_string(batch),
                 "--steps",
                 std::to_string(steps),
                 "--dropout",
                 "0"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<double> losses_of(int ranks, const Words& words) {
  if (ranks == 1) {
    Program program(words);
    EXPECT_EQ(program.finish(), 0) << program.err();
    std::vector<double> losses;
    for (const auto& step : program.events("step")) losses.push_back(step.at("loss"));
    return losses;
  }
  Ranks job(ranks, words);
  job.finish();
  for (int rank = 1; rank < ranks; ++rank) EXPECT_EQ(job.losses(rank), job.losses(0));
  return job.losses();
}

void expect_near(const std::vector<double>& losses, const std::vector<double>& others,
                 double tolerance) {
  ASSERT_EQ(losses.size(), others.size());
  for (std::size_t i = 0; i < losses.size(); ++i) {
    EXPECT_NEAR(losses[i], others[i], tolerance) << "step " << i;
  }
}

struct SameWork {
  std::string workload;
  int batch;  // of the whole job
  Words more;
  std::vector<int> ranks;
  double tolerance = 1e-4;

  friend void PrintTo(const SameWork& it, std::ostream* out) { *out << it.workload; }
};

class RanksSharingABatch : public testing::TestWithParam<SameWork> {};

TEST_P(RanksSharingABatch, HaveTheLossesOfOneRank) {
  const SameWork& work = GetParam();
  constexpr int all_steps = 20;
  const std::vector<double> alone = losses_of(1, tiny(work.workload, work.batch, all_steps));
  ASSERT_EQ(alone.size(), static_cast<std::size_t>(all_steps));
  EXPECT_NE(alone.front(), alone.back());
  for (const int ranks : work.ranks) {
    SCOPED_TRACE(ranks);
    expect_near(losses_of(ranks, tiny(work.workload, work.batch / ranks, all_steps, work.more)),
                alone, work.tolerance);
  }
}

// deeplabv3p has labels that do not count, and more of them on one rank than on the other; cyclegan
// has two optimizers, and losses of 25 in which the signs of |x| let rounding grow.
INSTANTIATE_TEST_SUITE_P(Gloo, RanksSharingABatch,
                         testing::Values(SameWork{"bert", 4, {"--bucket-bytes", "20000"}, {2, 4}},
                                         SameWork{"transformer", 32, {}, {2, 4}},
                                         SameWork{"arcface", 8, {"--sync-norm"}, {2, 4}},
                                         SameWork{"deeplabv3p", 4, {"--sync-norm"}, {2}},
                                         SameWork{"cyclegan", 2, {}, {2}, 2e-3}),
                         [](const auto& test) { return test.param.workload; });

TEST(Ranks, AccumulateBeforeTheyReduce) {
  expect_near(losses_of(2, tiny("bert", 1, 5, {"--accumulate", "2"})),
              losses_of(1, tiny("bert", 2, 5, {"--accumulate", "2"})), 1e-4);
}

TEST(Ranks, TellTheirPlaceAndTheirCommunication) {
  Ranks job(2, tiny("bert", 2, 3, {"--bucket-bytes", "20000"}));
  job.finish();
  for (int rank = 0; rank < 2; ++rank) {
    const nlohmann::json& start = job[rank].events().front();
    EXPECT_EQ(start.at("rank"), rank);
    EXPECT_EQ(start.at("ranks"), 2);
    EXPECT_EQ(start.at("backend"), "gloo");
    EXPECT_EQ(start.at("bucket_bytes"), 20000);
    for (const nlohmann::json& step : job[rank].events("step")) {
      EXPECT_EQ(step.at("items"), 2);  // its own, not the job's
      EXPECT_GT(step.at("communication"), 0);
      EXPECT_GE(step.at("exposed"), 0);
      EXPECT_LE(step.at("exposed"), step.at("seconds"));
      EXPECT_LE(step.at("communication"), step.at("seconds"));
    }
  }
}

TEST(Ranks, StopAfterTheSameStepThoughOneAloneWasAsked) {
  Ranks job(2, tiny("bert", 2, 1'000'000));
  job[1].wait_for("step");
  job[1].signal(SIGUSR1);
  job.finish();
  EXPECT_EQ(job[0].events().back(), job[1].events().back());
  EXPECT_EQ(job[0].events().back().at("why"), "stop");
  EXPECT_EQ(job[0].events("step").size(), job[1].events("step").size());
}

TEST(Ranks, FailWhenOneOfThemDies) {
  Ranks job(2, tiny("bert", 2, 1'000'000));
  job[0].wait_for("step");
  job[1].signal(SIGKILL);
  EXPECT_EQ(job[0].finish(), 1);
  EXPECT_EQ(job[0].events().back().at("event"), "failure");
  const std::string message = job[0].events().back().at("message");
  EXPECT_NE(message.find("rank 0 of 2"), std::string::npos) << message;
}

TEST(Ranks, HaveEqualWeightsThoughTheirNormsDiffer) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "trained.{rank}.safetensors").string();
  Ranks job(2, tiny("resnet50", 4, 5, {"--save-trained", path}));
  job.finish();
  SafetensorsFile first((folder.path() / "trained.0.safetensors").string());
  SafetensorsFile second((folder.path() / "trained.1.safetensors").string());
  int compared = 0;
  for (const auto& [name, tensor] : first.tensors()) {
    if (name.find("running_") != std::string::npos) continue;
    EXPECT_EQ(first.floats(name), second.floats(name)) << name;
    ++compared;
  }
  EXPECT_GT(compared, 100);
  const std::string mean = "stem.norm.running_mean";
  ASSERT_TRUE(first.tensors().contains(mean));
  EXPECT_NE(first.floats(mean), second.floats(mean));
}

TEST(Ranks, ShardTheClassesWithoutChangingTheMathematics) {
  const TemporaryFolder folder;
  const std::string gradients = (folder.path() / "sharded.safetensors").string();
  const std::string others = (folder.path() / "whole.safetensors").string();
  const std::vector<double> sharded =
      losses_of(2, tiny("arcface", 4, 20, {"--save-gradients", gradients}));
  const std::vector<double> whole =
      losses_of(2, tiny("arcface", 4, 20, {"--whole-classes", "--save-gradients", others}));
  expect_near(sharded, whole, 1e-4);
  const std::string classes = "classes.weight";
  const std::vector<float> gradient = SafetensorsFile(gradients).floats(classes);
  const std::vector<float> other = SafetensorsFile(others).floats(classes);
  ASSERT_EQ(gradient.size(), other.size());
  for (std::size_t i = 0; i < other.size(); ++i) EXPECT_NEAR(gradient[i], other[i], 1e-4);
}

TEST(Ranks, InDoublePrecisionHaveTheLossesOfOneRank) {
  const Words more = {"--precision", "fp64", "--sync-norm"};
  expect_near(losses_of(2, tiny("arcface", 4, 20, more)),
              losses_of(1, tiny("arcface", 8, 20, more)), 1e-6);
}

TEST(Ranks, LearnFromASampleOfTheClasses) {
  Ranks job(2, tiny("arcface", 4, 60, {"--sample-rate", "0.1"}));
  job.finish();
  EXPECT_EQ(job[0].events().front().at("math").at("sample_rate"), 0.1);
  EXPECT_EQ(job[0].events().front().at("math").at("classes"), "sharded");
  const std::vector<double> losses = job.losses();
  const auto mean = [](auto begin, auto end) {
    return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
  };
  EXPECT_LT(mean(losses.end() - 10, losses.end()), mean(losses.begin(), losses.begin() + 10));
}

TEST(Ranks, OfOneTakeAGroupWhereTheyAreAskedTo) {
  expect_near(losses_of(1, tiny("bert", 4, 5, {"--group"})), losses_of(1, tiny("bert", 4, 5)),
              1e-6);
}

TEST(RanksOnGpu, OfOneTalkThroughNcclAndLearnTheSame) {
  if (!std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "there is no NVIDIA GPU";
  for (const char* workload : {"resnet50", "bert", "transformer", "cyclegan", "arcface"}) {
    const int batch = std::string(workload) == "transformer" ? 32 : 4;
    for (const char* mode : {"eager", "graph"}) {
      SCOPED_TRACE(workload + std::string(" ") + mode);
      const Words alone = tiny(workload, batch, 8, {"--device", "cuda", "--mode", mode});
      Words in_a_group = alone;
      in_a_group.push_back("--group");
      expect_near(losses_of(1, in_a_group), losses_of(1, alone), 1e-2);
    }
  }
}

TEST(Ranks, RefuseAPlaceThatIsNone) {
  const auto refused = [](const std::map<std::string, std::string>& variables) {
    Program program(tiny("bert", 2, 1), true, variables);
    EXPECT_EQ(program.finish(), 2);
    return program.err();
  };
  EXPECT_NE(refused({{"RANK", "2"}, {"WORLD_SIZE", "2"}}).find("RANK is '2'"), std::string::npos);
  EXPECT_NE(refused({{"RANK", "0"}, {"WORLD_SIZE", "2"}}).find("MASTER_ADDR"), std::string::npos);
  EXPECT_NE(refused({{"WORLD_SIZE", "2"}}).find("RANK"), std::string::npos);
  EXPECT_NE(refused({{"OMPI_COMM_WORLD_RANK", "x"}, {"OMPI_COMM_WORLD_SIZE", "2"}})
                .find("OMPI_COMM_WORLD_RANK"),
            std::string::npos);
}

}  // namespace
}  // namespace trainmark::test
