// The MFU that logs print, beside the one that follows from their own figures.

#include "logs/utilisation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "made_up_logs.h"

namespace trainmark {
namespace {

/// 100,000 tokens/s, of a model whose size and devices the header says.
std::string mfu_log(const std::string& front, double mfu) {
  return front + lines_of(30, [&](int step) {
           return fmt::format(
               "step {:05}/01000 (2.00%) | loss: 8.5 | dt: 500.00ms | tok/sec: 100,000 | mfu: "
               "{:.2f}",
               step, mfu);
         });
}

// 6 × 1e9 parameters × 100,000 tokens/s are 600 TFLOP/s, of 8 × 312.
const std::string model_header =
    "Distributed world size: 8\nGPU: NVIDIA A100-SXM4-80GB\nNumber of parameters: 1,000,000,000\n";
constexpr double right_mfu = 600.0 / (8 * 312);

TEST(Utilisation, IsComputedAgainFromParametersAndDevices) {
  const LogFigure figure = blind(mfu_log(model_header, 100 * right_mfu), "nanochat");
  EXPECT_DOUBLE_EQ(figure.parameters, 1e9);
  EXPECT_NEAR(figure.mfu_recomputed, right_mfu, 1e-6);
  EXPECT_NEAR(figure.mfu, right_mfu, 1e-4);
  EXPECT_FALSE(has_verdict(figure, "mfu-differs"));
  const nlohmann::json json = figure;
  EXPECT_NEAR(json.at("mfu_recomputed").get<double>(), right_mfu, 1e-6);
  EXPECT_EQ(json.at("parameters"), 1e9);
}

TEST(Utilisation, ThatDoesNotFollowIsNamed) {
  const LogFigure figure = blind(mfu_log(model_header, 50), "nanochat");
  EXPECT_TRUE(has_verdict(figure, "mfu-differs"));
  // Attention comes on top of what parameters tell.
  EXPECT_FALSE(
      has_verdict(blind(mfu_log(model_header, 115 * right_mfu), "nanochat"), "mfu-differs"));
}

TEST(Utilisation, OfAnotherDeviceThanTheOneItRanOnIsNamed) {
  const LogFigure figure =
      blind(mfu_log(model_header + "Peak FLOPS used for computing MFU: 9.89e+14\n",
                    100 * right_mfu * 312 / 989),
            "nanochat");
  ASSERT_TRUE(has_verdict(figure, "mfu-differs"));
  for (const Verdict& verdict : figure.verdicts) {
    if (verdict.name != "mfu-differs") continue;
    EXPECT_NE(verdict.message.find("counts on 989 TFLOP/s"), std::string::npos) << verdict.message;
  }
}

TEST(Utilisation, CountsTheFlopsThatTheLogSays) {
  const LogFigure figure = blind(
      mfu_log(model_header + "Estimated FLOPs per token: 1.2e+10\n", 200 * right_mfu), "nanochat");
  EXPECT_NEAR(figure.mfu_recomputed, 2 * right_mfu, 1e-6);
  EXPECT_FALSE(has_verdict(figure, "mfu-differs"));
}

TEST(Utilisation, IsNotComputedWhereSomethingIsUnknown) {
  for (const char* less : {"Distributed world size: 8\nGPU: NVIDIA A100-SXM4-80GB\n",
                           "Distributed world size: 8\nNumber of parameters: 1,000,000,000\n",
                           "GPU: NVIDIA A100-SXM4-80GB\nNumber of parameters: 1,000,000,000\n"}) {
    const LogFigure figure = blind(mfu_log(less, 50), "nanochat");
    EXPECT_TRUE(std::isnan(figure.mfu_recomputed)) << less;
    EXPECT_FALSE(has_verdict(figure, "mfu-differs")) << less;
  }
}

TEST(Utilisation, KnowsDevicesByTheirWholeName) {
  EXPECT_DOUBLE_EQ(peak_of_device("A100"), 312e12);
  EXPECT_DOUBLE_EQ(peak_of_device("A10"), 125e12);
  EXPECT_DOUBLE_EQ(peak_of_device("GeForce RTX 3090"), 71e12);
  EXPECT_TRUE(std::isnan(peak_of_device("XA100")));
  EXPECT_TRUE(std::isnan(peak_of_device("")));
}

}  // namespace
}  // namespace trainmark
