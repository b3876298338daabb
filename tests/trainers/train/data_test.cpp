// trainmark-train on data sets.

#include <gtest/gtest.h>

#include <csignal>

#include "temporary_folder.h"
#include "trainers/support/data_sets.h"
#include "trainers/support/ranks.h"

namespace trainmark::test {
namespace {

using Words = std::vector<std::string>;

class DataTest : public testing::Test {
 protected:
  void SetUp() override {
    make_data_set(folder_ / "pictures", "imagefolder", data::kind::labelled_images, 24);
  }

  Words words(const std::string& workload, int batch, int steps, const std::string& set,
              const Words& more = {}) const {
    Words words = {"trainmark-train",
                   "--workload",
                   workload,
                   "--size",
                   "tiny",
                   "--batch",
                   std::to_string(batch),
                   "--steps",
                   std::to_string(steps),
                   "--data",
                   folder_ / set,
                   "--workers",
                   "2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  Words on_pictures(int steps, const Words& more = {}) const {
    return words("resnet50", 4, steps, "pictures", more);
  }

  TemporaryFolder folder_;
};

std::vector<double> losses_on_data(const Program& program) {
  std::vector<double> losses;
  for (const auto& step : program.events("step")) losses.push_back(step.at("loss"));
  return losses;
}

TEST_F(DataTest, IsToldOf) {
  Program program(on_pictures(3, {"--accumulate", "2"}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  const nlohmann::json& start = program.events().front();
  EXPECT_EQ(start.at("data"),
            nlohmann::json(
                {{"format", "imagefolder"}, {"samples", 24}, {"workers", 2}, {"decoder", "cpu"}}));
  EXPECT_GT(start.at("parameters"), 0);
  ASSERT_EQ(program.events("step").size(), 3U);
  for (const nlohmann::json& step : program.events("step")) {
    EXPECT_EQ(step.at("items"), 8);
    EXPECT_GE(step.at("data"), 0);
    EXPECT_LE(step.at("data"), step.at("seconds"));
    EXPECT_TRUE(step.at("loss").is_number());
  }
  EXPECT_EQ(program.events("data").at(0),
            nlohmann::json({{"event", "data"}, {"position", "1:0"}, {"skipped", 0}}));
}

TEST_F(DataTest, IsNotToldOfWhereItIsMadeUp) {
  Program program({"trainmark-train", "--workload", "resnet50", "--size", "tiny", "--steps", "1"});
  ASSERT_EQ(program.finish(), 0) << program.err();
  EXPECT_FALSE(program.events().front().contains("data"));
  EXPECT_FALSE(program.events("step").at(0).contains("data"));
  EXPECT_TRUE(program.events("data").empty());
}

TEST_F(DataTest, AloneIsMadeAndNothingIsTrained) {
  Program program(on_pictures(8, {"--input-only"}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  EXPECT_EQ(program.events().front().at("data").at("samples"), 24);
  EXPECT_FALSE(program.events().front().contains("flops_per_item"));
  ASSERT_EQ(program.events("step").size(), 8U);
  for (const nlohmann::json& step : program.events("step")) {
    EXPECT_EQ(step.at("items"), 4);
    EXPECT_FALSE(step.contains("loss"));
    EXPECT_GE(step.at("data"), 0);
  }
  EXPECT_EQ(program.events().back().at("steps"), 8);
}

TEST_F(DataTest, AloneIsStoppedLikeATraining) {
  Ranks job(2, on_pictures(1'000'000, {"--input-only"}));
  job[1].wait_for("step");
  job[1].signal(SIGUSR1);
  job.finish();
  EXPECT_EQ(job[0].events().back(), job[1].events().back());
  EXPECT_EQ(job[0].events().back().at("why"), "stop");
}

TEST_F(DataTest, GoesOnFromAPosition) {
  Program whole(on_pictures(4));
  ASSERT_EQ(whole.finish(), 0) << whole.err();
  const std::string trained = folder_ / "trained.safetensors";
  Program first(on_pictures(2, {"--save-trained", trained}));
  ASSERT_EQ(first.finish(), 0) << first.err();
  const std::string position = first.events("data").at(0).at("position");
  EXPECT_EQ(position, "0:2");
  Program next(on_pictures(1, {"--load-weights", trained, "--data-position", position}));
  ASSERT_EQ(next.finish(), 0) << next.err();
  EXPECT_EQ(losses_on_data(next).at(0), losses_on_data(whole).at(2));
}

TEST_F(DataTest, IsRefusedWithAMessage) {
  const auto refused = [](const Words& words) {
    Program program(words);
    EXPECT_EQ(program.finish(), 2);
    return program.err();
  };
  const auto expect = [&](const Words& words, const std::string& text) {
    const std::string message = refused(words);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  expect(words("resnet50", 4, 1, "nowhere"), "nowhere");
  expect(words("bert", 4, 1, "pictures"), "labelled-images");
  expect(on_pictures(1, {"--data-position", "7"}), "--data-position '7': write EPOCH:BATCH");
  expect(on_pictures(1, {"--data-position", "-1:0"}), "--data-position '-1:0'");
  expect(on_pictures(1, {"--on-bad-item", "ignore"}), "--on-bad-item");
  expect(on_pictures(1, {"--input-only", "--save-trained", "x"}), "--input-only trains nothing");
  expect({"trainmark-train", "--workload", "resnet50", "--size", "tiny", "--input-only"},
         "--input-only needs a data set");
}

TEST_F(DataTest, ThatCannotBeReadIsNamed) {
  std::filesystem::resize_file(folder_ / "pictures/class_1/0000003.jpg", 100);
  Program refusing(on_pictures(6, {"--on-bad-item", "refuse"}));
  EXPECT_EQ(refusing.finish(), 2);
  EXPECT_NE(refusing.err().find("class_1/0000003.jpg"), std::string::npos) << refusing.err();
  Program skipping(on_pictures(6));
  EXPECT_EQ(skipping.finish(), 0);
  EXPECT_EQ(skipping.events("data").at(0).at("skipped"), 1);
  EXPECT_NE(skipping.err().find("1 item could not be read and was left out"), std::string::npos);
  EXPECT_NE(skipping.err().find("class_1/0000003.jpg"), std::string::npos) << skipping.err();
}

/// Ranks that share a batch have the loss of one that has all of it: each has samples of its own,
/// and counts for as much as it has labels.
TEST_F(DataTest, IsSharedByRanks) {
  make_data_set(folder_ / "streets", "cityscapes", data::kind::labelled_pixels, 16);
  const auto expect_same = [&](const std::string& workload, int batch, const std::string& set,
                               const Words& more) {
    Program alone(words(workload, batch, 4, set, more));
    ASSERT_EQ(alone.finish(), 0) << alone.err();
    Ranks job(2, words(workload, batch / 2, 4, set, more));
    job.finish();
    const std::vector<double> expected = losses_on_data(alone);
    ASSERT_EQ(job.losses().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(job.losses()[i], expected[i], 1e-4) << workload << i;
    }
  };
  expect_same("deeplabv3p", 4, "streets", {"--sync-norm"});
  expect_same("resnet50", 8, "pictures", {"--sync-norm"});
}

}  // namespace
}  // namespace trainmark::test
