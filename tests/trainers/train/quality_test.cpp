// trainmark-train --quality.

#include <gtest/gtest.h>

#include <csignal>

#include "trainers/support/quality_training.h"
#include "trainers/support/ranks.h"

namespace trainmark::test {
namespace {

std::vector<std::int64_t> steps_of(const std::vector<nlohmann::json>& events) {
  std::vector<std::int64_t> steps;
  for (const nlohmann::json& event : events) steps.push_back(event.at("step"));
  return steps;
}

TEST(Quality, IsToldOfAtTheStart) {
  Program program(on_pictures().words({"--epochs", "1.5", "--evaluate-every", "0.5", "--batch", "8",
                                       "--weight-decay", "0.25", "--warm-up", "0.1"}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  const nlohmann::json& quality = program.events().front().at("quality");
  EXPECT_EQ(quality.at("metric"), "top-1 accuracy");
  EXPECT_EQ(quality.at("better"), "higher");
  EXPECT_EQ(quality.at("target"), 0.9);
  EXPECT_EQ(quality.at("epochs"), 1.5);
  EXPECT_EQ(quality.at("evaluate_every"), 0.5);
  EXPECT_EQ(quality.at("steps_per_epoch"), 3);
  EXPECT_EQ(quality.at("evaluation_samples"), 10);
  const nlohmann::json& recipe = quality.at("recipe");
  EXPECT_EQ(recipe.at("optimizer"), "sgd");
  EXPECT_EQ(recipe.at("schedule"), "cosine");
  EXPECT_EQ(recipe.at("weight_decay"), 0.25);
  EXPECT_EQ(recipe.at("decay"), "matrices");
  EXPECT_EQ(recipe.at("augmentation"), "none");
  EXPECT_FALSE(quality.contains("resumed"));
}

TEST(Quality, ScalesTheLearningRateWithTheBatch) {
  const auto rate = [](const Words& more) {
    Program program(on_pictures().words(more));
    EXPECT_EQ(program.finish(), 0) << program.err();
    return program.events().front().at("quality").at("recipe").at("learning_rate").get<double>();
  };
  const double one = rate({"--steps", "1"});
  EXPECT_GT(one, 0);
  EXPECT_DOUBLE_EQ(rate({"--steps", "1", "--accumulate", "3"}), 3 * one);
  EXPECT_DOUBLE_EQ(rate({"--steps", "1", "--learning-rate", "32"}), 32.0 * 4 / 128);
}

TEST(Quality, EvaluatesBetweenStepsAndEndsWithTheEpochs) {
  Program program(on_pictures().words({"--epochs", "1.5", "--evaluate-every", "0.5"}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  EXPECT_EQ(program.events("step").size(), 9U);
  EXPECT_EQ(program.events().back().at("why"), "steps");
  const std::vector<nlohmann::json> evaluations = program.events("evaluation");
  EXPECT_EQ(steps_of(evaluations), (std::vector<std::int64_t>{3, 6, 9}));
  for (const nlohmann::json& evaluation : evaluations) {
    EXPECT_EQ(evaluation.at("samples"), 4 * evaluation.at("step").get<int>());
    EXPECT_DOUBLE_EQ(evaluation.at("epoch"), evaluation.at("step").get<double>() / 6);
    // Of ten pictures each counts once: a share of anything else is no tenth.
    const double tenths = 10 * evaluation.at("quality").get<double>();
    EXPECT_NEAR(tenths, std::round(tenths), 1e-9);
    EXPECT_TRUE(evaluation.at("loss").is_number());
  }
}

TEST(Quality, TakesNoTimeOfTheSteps) {
  Program program(on_pictures().words({"--epochs", "1", "--evaluate-every", "0.34"}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  double clock = 0;  // when what was told before had ended
  for (const nlohmann::json& event : program.events()) {
    if (event.at("event") != "step" && event.at("event") != "evaluation") continue;
    const double begin = event.at("end").get<double>() - event.at("seconds").get<double>();
    EXPECT_GE(begin, clock - 1e-6) << event;
    clock = event.at("end");
  }
}

TEST(Quality, EvaluatesAfterTheLastOfAFewSteps) {
  Program program(on_pictures().words({"--steps", "2"}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  EXPECT_EQ(program.events("step").size(), 2U);
  EXPECT_EQ(steps_of(program.events("evaluation")).back(), 2);
}

TEST(Quality, IsNotLookedForOnceTheStopIsAskedFor) {
  Program program(on_pictures().words({"--epochs", "1000", "--evaluate-every", "1000"}));
  program.wait_for("step");
  program.signal(SIGUSR1);
  ASSERT_EQ(program.finish(), 0) << program.err();
  EXPECT_EQ(program.events().back().at("why"), "stop");
  EXPECT_TRUE(program.events("evaluation").empty());
}

TEST(Quality, IsStoppedRightAfterAnEvaluation) {
  Program program(on_pictures().words({"--epochs", "1000", "--evaluate-every", "0.5"}));
  program.wait_for("evaluation");
  program.signal(SIGUSR1);
  ASSERT_EQ(program.finish(), 0) << program.err();
  EXPECT_EQ(program.events().back().at("why"), "stop");
}

TEST(Quality, DependsOnTheSeed) {
  const auto curve = [](const char* seed) {
    Program program(on_pictures().words({"--epochs", "0.5", "--seed", seed}));
    EXPECT_EQ(program.finish(), 0) << program.err();
    return curve_of(program).losses;
  };
  EXPECT_EQ(curve("3"), curve("3"));
  EXPECT_NE(curve("3"), curve("4"));
}

TEST(Quality, SaysWhichShareOfTheLabelsIsRandom) {
  const auto trained = [](const Words& more) {
    Program program(on_pictures().words(more));
    EXPECT_EQ(program.finish(), 0) << program.err();
    const nlohmann::json& recipe = program.events().front().at("quality").at("recipe");
    return std::pair(recipe.value("random_labels", -1.0), curve_of(program).losses);
  };
  const auto right = trained({"--steps", "1"});
  const auto wrong = trained({"--steps", "1", "--random-labels", "1"});
  EXPECT_EQ(right.first, -1) << "not told of where it is not asked for";
  EXPECT_EQ(wrong.first, 1);
  EXPECT_NE(right.second, wrong.second);
}

TEST(Quality, LeavesTheTrainingAlone) {
  // What drops out of sentences is drawn from random numbers that evaluations must not take.
  const QualityTraining sentences({"bert", "bert-hdf5", data::kind::masked_sentences});
  const auto losses = [&](const char* every) {
    Program program(sentences.words({"--epochs", "1", "--evaluate-every", every}));
    EXPECT_EQ(program.finish(), 0) << program.err();
    return curve_of(program).losses;
  };
  EXPECT_EQ(losses("0.1"), losses("1"));
}

TEST(Quality, IsOfTheWholeJob) {
  Ranks job(2, on_pictures().words({"--batch", "2", "--epochs", "1", "--evaluate-every", "0.5"}));
  job.finish();
  const std::vector<nlohmann::json> first = job[0].events("evaluation");
  const std::vector<nlohmann::json> second = job[1].events("evaluation");
  ASSERT_EQ(steps_of(first), (std::vector<std::int64_t>{3, 6}));
  ASSERT_EQ(steps_of(second), steps_of(first));
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].at("quality"), second[i].at("quality"));
    EXPECT_EQ(first[i].at("loss"), second[i].at("loss"));
    EXPECT_EQ(first[i].at("samples"), 4 * first[i].at("step").get<int>());
    const double tenths = 10 * first[i].at("quality").get<double>();
    EXPECT_NEAR(tenths, std::round(tenths), 1e-9);
  }
}

TEST(Quality, IsRefusedWhereItMakesNoSense) {
  const auto refused = [](Words words) {
    Program program(std::move(words));
    EXPECT_EQ(program.finish(), 2);
    return program.err();
  };
  const Words plain = {"trainmark-train", "--workload", "resnet50", "--size", "tiny"};
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  EXPECT_EQ(refused(with(plain, {"--quality"})),
            "trainmark-train: --quality needs a data set: write --data PATH\n");
  EXPECT_EQ(refused(with(plain, {"--epochs", "3"})),
            "trainmark-train: --epochs is for a training to quality; add --quality, or leave it "
            "out\n");
  EXPECT_EQ(refused(on_pictures().words({"--input-only"})),
            "trainmark-train: --input-only trains nothing; leave out --quality\n");
  EXPECT_EQ(refused(on_pictures().words({"--checkpoint-every", "1"})),
            "trainmark-train: --checkpoint-every needs a folder: write --checkpoint FOLDER\n");
  EXPECT_EQ(refused(on_pictures().words({"--loss-scale", "8"})),
            "trainmark-train: --loss-scale is for fp16 and amp-fp16, not for fp32; leave it out\n");
  EXPECT_EQ(refused(on_pictures().words({"--epochs", "2", "--warm-up", "3"})),
            "trainmark-train: --warm-up 3: the training has 2 epochs; write fewer\n");
  EXPECT_NE(refused(on_pictures().words({"--data-position", "0:1"})).find("--data-position is not"),
            std::string::npos);
  EXPECT_NE(refused(on_pictures().words({"--epochs", "0"})).find("--epochs"), std::string::npos);
  EXPECT_NE(refused(on_pictures().words({"--evaluation-data", "/nowhere"})).find("/nowhere"),
            std::string::npos);
}

}  // namespace
}  // namespace trainmark::test
