// trainmark-train --quality on a GPU: checkpoints, and learning rates that change in recorded
// steps.

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "trainers/support/quality_training.h"

namespace trainmark::test {
namespace {

/// Why there is no GPU; empty where there is one.
std::string why_no_gpu() {
  Program program({"trainmark-train", "--describe"}, /*events=*/false);
  EXPECT_EQ(program.finish(), 0) << program.err();
  for (const auto& device : nlohmann::json::parse(program.out()).at("devices"))
    if (device.at("name") == "cuda") return device.value("missing", "");
  return "this program trains on CPUs only";
}

struct GpuCase {
  std::string mode;
  std::string precision;
};

class QualityOnGpu : public testing::TestWithParam<GpuCase> {
 protected:
  void SetUp() override {
    static const std::string missing = why_no_gpu();
    if (!missing.empty()) GTEST_SKIP() << missing;
  }

  /// Six steps per epoch.
  static Words words(const Words& more) {
    Words words =
        on_pictures().words({"--device", "cuda", "--mode", GetParam().mode, "--precision",
                             GetParam().precision, "--epochs", "3", "--evaluate-every", "0.5"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  static Curve trained(const Words& more) {
    Program program(words(more));
    EXPECT_EQ(program.finish(), 0) << program.err();
    return curve_of(program);
  }
};

// Sums on a GPU are added in any order: the same numbers, but for rounding that grows.
void expect_like(const Curve& found, const Curve& expected) {
  ASSERT_EQ(found.losses.size(), expected.losses.size());
  for (const auto& [step, loss] : expected.losses)
    EXPECT_NEAR(found.losses.at(step), loss, 0.05 * loss) << "step " << step;
  for (const auto& [step, evaluation] : expected.evaluations) {
    ASSERT_TRUE(found.evaluations.contains(step)) << "step " << step;
    EXPECT_EQ(found.evaluations.at(step).at("samples"), evaluation.at("samples"));
    EXPECT_EQ(found.evaluations.at(step).at("epoch"), evaluation.at("epoch"));
  }
}

TEST_P(QualityOnGpu, GoesOnFromACheckpoint) {
  const Curve whole = trained({});
  ASSERT_EQ(whole.losses.size(), 18U);
  const TemporaryFolder folder;
  Curve curve = trained({"--checkpoint", folder / "saved", "--steps", "8"});
  ASSERT_EQ(curve.losses.size(), 8U);
  Program rest(words({"--checkpoint", folder / "saved"}));
  ASSERT_EQ(rest.finish(), 0) << rest.err();
  EXPECT_EQ(rest.events().front().at("quality").at("resumed").at("step"), 8);
  for (const auto& step : rest.events("step"))
    curve.losses.emplace(8 + step.at("step").get<std::int64_t>(), step.at("loss").get<double>());
  for (const auto& evaluation : rest.events("evaluation"))
    curve.evaluations.emplace(evaluation.at("step").get<std::int64_t>(), evaluation);
  expect_like(curve, whole);
}

TEST_P(QualityOnGpu, GoesOnAfterAKill) {
  const TemporaryFolder folder;
  const Words saved = words({"--checkpoint", folder / "saved"});
  Program killed(saved);
  killed.wait_for("checkpoint");
  killed.wait_for("checkpoint");
  killed.signal(SIGKILL);
  killed.finish();
  Program rest(saved);
  ASSERT_EQ(rest.finish(), 0) << rest.err();
  const auto before =
      rest.events().front().at("quality").at("resumed").at("step").get<std::size_t>();
  EXPECT_GE(before, 6U);
  EXPECT_EQ(rest.events("step").size(), 18 - before);
}

TEST_P(QualityOnGpu, LearnsNothingAtARateOfZero) {
  const auto distinct = [](const char* rate) {
    const Curve curve = trained({"--warm-up", "0", "--learning-rate", rate});
    std::vector<double> losses;
    for (const auto& [step, evaluation] : curve.evaluations)
      losses.push_back(evaluation.at("loss").get<double>());
    return std::ranges::max(losses) - std::ranges::min(losses);
  };
  // Running statistics alone change what is evaluated.
  EXPECT_GT(distinct("1"), 2 * distinct("0"));
}

INSTANTIATE_TEST_SUITE_P(Modes, QualityOnGpu,
                         testing::Values(GpuCase{"eager", "fp32"}, GpuCase{"graph", "fp32"},
                                         GpuCase{"graph", "amp-fp16"}, GpuCase{"graph", "fp16"}),
                         [](const auto& given) {
                           std::string name = given.param.mode + "_" + given.param.precision;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace trainmark::test
