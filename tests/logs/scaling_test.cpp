#include "logs/scaling.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trainmark {
namespace {

LogFigure log_of(const std::string& file, double throughput) {
  LogFigure figure;
  figure.file = file;
  figure.unit = "samples/s";
  figure.throughput = throughput;
  return figure;
}

TEST(Scaling, DlperfsNamesAreUnderstood) {
  const auto name = dlperf_name("logs/4n8g/rn50_v1_b128_fp32_12.log.gz");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->scale.text(), "4n8g");
  EXPECT_EQ(name->model, "rn50_v1");
  EXPECT_EQ(name->batch, 128);
  EXPECT_EQ(name->precision, "fp32");
  EXPECT_EQ(name->run, 12);
  for (const char* other :
       {"r50_b128_fp32_1.log", "x/r50_b128_fp32_1.log", "1n1g/r50_128_fp32_1.log",
        "1n1g/r50_b128_fp32_x.log", "1n1g/b128_fp32_1.log"})
    EXPECT_FALSE(dlperf_name(other)) << other;
}

TEST(Scaling, GivesTheShapeOfDlperfsScripts) {
  const std::vector<LogFigure> figures = {
      log_of("1n1g/r50_b128_fp32_1.log", 100.004), log_of("1n1g/r50_b128_fp32_2.log", 102),
      log_of("1n1g/r50_b128_fp32_3.log", 107), log_of("1n8g/r50_b128_fp32_1.log", 765)};
  const nlohmann::json expected = nlohmann::json::parse(
      R"({"r50": {"1n1g": {"average_speed": 103.0, "batch_size_per_device": 128,
                           "median_speed": 102.0, "speedup": 1.0},
                  "1n8g": {"average_speed": 765.0, "batch_size_per_device": 128,
                           "median_speed": 765.0, "speedup": 7.5}}})");
  EXPECT_EQ(scaling_json(scaling_cases(figures)), expected);
}

TEST(Scaling, OtherLogsAreGroupedByWhatTheySay) {
  std::vector<LogFigure> figures = {log_of("b.log", 390), log_of("a.log", 100),
                                    log_of("c.log", 50)};
  figures[0].gpus = 4;
  figures[1].gpus = 1;
  figures[2].gpus = 1;
  for (auto& figure : figures) figure.model = "m";
  figures[2].precision = "amp";
  const auto cases = scaling_cases(figures);
  ASSERT_EQ(cases.size(), 3U);
  EXPECT_EQ(cases[0].scale.text(), "1n1g");
  EXPECT_EQ(cases[1].scale.text(), "1n4g");
  EXPECT_EQ(cases[1].speedup, 3.9);
  EXPECT_EQ(cases[2].speedup, 1.0);
}

TEST(Scaling, DifferentFilesAreNoRunsOfOneCaseUnlessTheirNamesSaySo) {
  std::vector<LogFigure> figures = {log_of("x/warm.log", 100), log_of("x/cold.log", 50),
                                    log_of("x/run_1.log", 70), log_of("x/run_2.log", 72)};
  for (auto& figure : figures) {
    figure.model = "m";
    figure.gpus = 1;
  }
  auto cases = scaling_cases(figures);
  ASSERT_EQ(cases.size(), 3U);
  for (const ScalingCase& scaling : cases) {
    EXPECT_EQ(scaling.speeds.size(), scaling.series == "x/" ? 2U : 1U) << scaling.series;
    EXPECT_FALSE(scaling.speedup) << "which of them would be the smallest job?";
  }
  EXPECT_EQ(scaling_json(cases).size(), 3U) << "no entry may take the place of another";
}

TEST(Scaling, MachinesAndPrecisionsThatNamesTellApartStayApart) {
  std::vector<LogFigure> figures = {
      log_of("a100_fp32_gpu1.log", 300), log_of("v100_fp32_gpu1.log", 100),
      log_of("v100_amp_gpu1.log", 200), log_of("v100_fp32_gpu8.log", 700)};
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].gpus = i == 3 ? 8 : 1;
  const auto cases = scaling_cases(figures);
  ASSERT_EQ(cases.size(), 4U);
  for (const ScalingCase& scaling : cases)
    EXPECT_EQ(scaling.speedup, scaling.scale.ranks() == 8 ? 7.0 : 1.0) << scaling.series;
}

TEST(Scaling, ALogOfSeveralNodesTellsTheGpusOfAll) {
  std::vector<LogFigure> figures = {log_of("a.log", 100), log_of("b.log", 1500)};
  figures[0].gpus = 1;
  figures[1].gpus = 16;
  figures[1].nodes = 2;
  const auto cases = scaling_cases(figures);
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[1].scale.text(), "2n8g");
  EXPECT_EQ(cases[1].speedup, 15);
}

TEST(Scaling, ALogThatTellsItsNodesAloneHasOneGpuOnEach) {
  std::vector<LogFigure> figures = {log_of("a.log", 100)};
  figures[0].nodes = 4;
  EXPECT_EQ(scaling_cases(figures).at(0).scale.text(), "4n1g");
}

}  // namespace
}  // namespace trainmark
