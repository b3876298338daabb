// trainmark-train as a process.

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "trainers/support/program.h"

namespace trainmark::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> train(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"trainmark-train", "--workload", "resnet50", "--size",
                                        "tiny"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<double> losses_of(const Program& program) {
  std::vector<double> losses;
  for (const nlohmann::json& step : program.events("step")) losses.push_back(step.at("loss"));
  return losses;
}

class TrainTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "trainmark.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(TrainTest, TellsWhatItTrainsAndHow) {
  Program program(train({"--steps", "3", "--accumulate", "2"}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  const nlohmann::json& start = program.events().front();
  EXPECT_EQ(start.at("framework"), "libtorch");
  EXPECT_EQ(start.at("mode"), "eager");
  EXPECT_EQ(start.at("batch"), 8);
  EXPECT_EQ(start.at("accumulate"), 2);
  EXPECT_EQ(start.at("unit"), "images");
  EXPECT_EQ(start.at("threads"), 1);  // OMP_NUM_THREADS of these tests
  EXPECT_GT(start.at("parameters"), 100'000);
  EXPECT_GT(start.at("flops_per_item"), 1e6);
  EXPECT_EQ(start.at("math").at("memory_format"), "channels_last");
  EXPECT_TRUE(start.at("versions").contains("libtorch"));
  ASSERT_EQ(program.events("step").size(), 3u);
  EXPECT_EQ(program.events("step")[0].at("items"), 16);
  EXPECT_GT(program.events("step")[0].at("seconds"), 0);
  EXPECT_EQ(program.events().back(),
            nlohmann::json({{"event", "end"}, {"steps", 3}, {"why", "steps"}}));
}

TEST_F(TrainTest, StopsInGoodOrderWhenAsked) {
  Program program(train({"--steps", "1000000"}));
  program.wait_for("step");
  program.signal(SIGUSR1);
  EXPECT_EQ(program.finish(), 0);
  EXPECT_EQ(program.events().back().at("why"), "stop");
  EXPECT_EQ(program.events().back().at("steps"), program.events("step").size());
}

TEST_F(TrainTest, EndsWhenNobodyReadsItsEvents) {
  Program program(train({"--steps", "1000000"}));
  program.wait_for("step");
  program.close_events();
  EXPECT_EQ(program.finish(), 1);
}

TEST_F(TrainTest, DescribesItselfAsTheProtocolSays) {
  Program program({"trainmark-train", "--describe"}, false);
  ASSERT_EQ(program.finish(), 0) << program.err();
  const nlohmann::json description = nlohmann::json::parse(program.out());
  EXPECT_EQ(description.at("protocol"), 1);
  EXPECT_EQ(description.at("framework"), "libtorch");
  EXPECT_EQ(description.at("devices").at(0).at("name"), "cpu");
  EXPECT_EQ(description.at("devices").at(1).at("name"), "cuda");
  for (const nlohmann::json& workload : description.at("workloads")) {
    EXPECT_FALSE(workload.at("modes").empty());
    EXPECT_EQ(workload.at("sizes").size(), 3u) << workload.at("name");
    EXPECT_FALSE(workload.at("precisions").empty());
  }
}

TEST_F(TrainTest, RefusesWhatItCannotTrainBeforeAnythingIsMeasured) {
  Program program(train({"--precision", "fp16"}));
  EXPECT_EQ(program.finish(), 1);
  ASSERT_EQ(program.events().size(), 1u);
  EXPECT_EQ(program.events()[0].at("kind"), "unsupported");
}

TEST_F(TrainTest, SamplesClassesOnlyWhereTheContractSaysSo) {
  Program refused(train({"--sample-rate", "0.5"}));
  EXPECT_EQ(refused.finish(), 2);
  EXPECT_NE(refused.err().find("--sample-rate is not for resnet50"), std::string::npos)
      << refused.err();
  Program sampled({"trainmark-train", "--workload", "arcface", "--size", "tiny", "--steps", "1",
                   "--sample-rate", "0.5"});
  EXPECT_EQ(sampled.finish(), 0) << sampled.err();
}

TEST_F(TrainTest, TellsThatMemoryRanOut) {
  Program program(train({"--batch", "1000000000000"}));
  EXPECT_EQ(program.finish(), 1);
  EXPECT_EQ(program.events().back().at("kind"), "out-of-memory");
}

TEST_F(TrainTest, RepeatsItselfFromTheSeedAndFromSavedWeights) {
  const std::string weights = folder_ / "weights.safetensors";
  const std::string losses = folder_ / "losses.json";
  Program first(train({"--steps", "4", "--save-weights", weights, "--save-losses", losses}));
  ASSERT_EQ(first.finish(), 0) << first.err();
  Program again(train({"--steps", "4"}));
  ASSERT_EQ(again.finish(), 0);
  EXPECT_EQ(losses_of(first), losses_of(again));
  Program loaded(train({"--steps", "4", "--load-weights", weights}));
  ASSERT_EQ(loaded.finish(), 0) << loaded.err();
  EXPECT_EQ(losses_of(first), losses_of(loaded));
  Program other(train({"--steps", "4", "--seed", "2"}));
  ASSERT_EQ(other.finish(), 0);
  EXPECT_NE(losses_of(first), losses_of(other));
  std::ifstream file(losses);
  const nlohmann::json saved = nlohmann::json::parse(file);
  ASSERT_EQ(saved.size(), 4u);
  EXPECT_FLOAT_EQ(saved[0].get<float>(), static_cast<float>(losses_of(first)[0]));
}

TEST_F(TrainTest, SavesTheWeightsAfterTheLastStep) {
  const std::string trained = folder_ / "trained.safetensors";
  Program two(train({"--steps", "2", "--save-trained", trained}));
  ASSERT_EQ(two.finish(), 0) << two.err();
  Program three(train({"--steps", "3"}));
  ASSERT_EQ(three.finish(), 0);
  Program next(train({"--steps", "1", "--load-weights", trained}));
  ASSERT_EQ(next.finish(), 0) << next.err();
  EXPECT_EQ(losses_of(next).at(0), losses_of(three).at(2));
}

TEST_F(TrainTest, WritesBesideAProfileWhereTheTimeWent) {
  const std::string trace = folder_ / "trace.json";
  Program program(train({"--steps", "2", "--profile", trace}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  EXPECT_TRUE(std::filesystem::exists(trace));
  std::ifstream file(trace + ".md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(page.find("# resnet50, tiny, fp32, batch 8, mode eager"), 0u) << page;
  EXPECT_NE(page.find("\n3 steps: "), std::string::npos) << page;
  EXPECT_NE(page.find("\n| convolutions | "), std::string::npos) << page;
  EXPECT_NE(page.find("\n| optimizer | "), std::string::npos) << page;
}

TEST_F(TrainTest, RefusesWeightsThatAreNone) {
  const std::string weights = folder_ / "weights.safetensors";
  std::ofstream(weights) << "not weights at all";
  Program program(train({"--load-weights", weights}));
  EXPECT_EQ(program.finish(), 2);
  EXPECT_NE(program.err().find(weights), std::string::npos);
}

}  // namespace
}  // namespace trainmark::test
