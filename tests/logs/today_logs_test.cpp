// Real logs of programs that people run today, with figures that an independent script made from
// them. They are not part of this project; the tests run where the folder is there.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "csv_rows.h"
#include "logs/extract.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

class TodaysLogs : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("TRAINMARK_LOGS");
    folder = named != nullptr ? fs::path(named) : fs::path(TRAINMARK_SOURCE) / "../shared/logs";
    folder /= "today";
    if (!fs::exists(folder / "expected.csv")) GTEST_SKIP() << "there is no " << folder;
  }

  fs::path folder;
};

/// Where the script and we differ: our unit is `unit` and our figure its own times `factor`.
struct Difference {
  const char* unit;
  double factor;
};

// The batch of the first two stands in the program's text, which was cut from these copies; that of
// the third is said ("AutoBatch: Using batch-size 19").
const std::map<std::string, Difference> differences = {
    {"modded-nanogpt/kj-2024-10-09-soap.log", {"steps", 1.0 / 524288}},
    {"modded-nanogpt/kj-2024-12-10-mfutweaks.log", {"steps", 1.0 / 524288}},
    {"yolo/bigbugman-se-b4.log", {"images", 19}}};

// Prints only the first step of each epoch.
const std::string misleading = "pytorch-imagenet/dsexamples-vit-cifar.log";

TEST_F(TodaysLogs, GiveTheFiguresOfTheScript) {
  std::size_t rows = 0;
  for (const auto& row : csv_rows(folder / "expected.csv")) {
    const std::string& file = row.at("file");
    if (file == misleading || file.starts_with("plain/")) continue;
    const bool at_end = row.at("throughput").empty();
    double expected = std::stod(at_end ? row.at("printed_at_end") : row.at("throughput"));
    std::string unit = row.at("unit");
    if (const auto found = differences.find(file); found != differences.end()) {
      unit = found->second.unit;
      expected *= found->second.factor;
    }
    const LogFigure figure = extract_log(folder / file, {});
    EXPECT_EQ(figure.unit, unit + "/s") << file;
    EXPECT_NEAR(figure.throughput, expected, 0.01 * expected) << file;
    EXPECT_EQ(figure.confidence, Confidence::high) << file;
    ++rows;
  }
  EXPECT_GT(rows, 45U);
}

TEST_F(TodaysLogs, AreReadByTheDialectOfTheirProgram) {
  const std::map<std::string, std::string> dialects = {{"pytorch-imagenet", "pytorch_imagenet"},
                                                       {"hf-trainer", "hf_trainer"},
                                                       {"metric-logger", "metric_logger"},
                                                       {"modded-nanogpt", "modded_nanogpt"}};
  for (const auto& row : csv_rows(folder / "expected.csv")) {
    const std::string& file = row.at("file");
    if (file.starts_with("plain/")) continue;
    const std::string program = file.substr(0, file.find('/'));
    std::string dialect = dialects.contains(program) ? dialects.at(program) : program;
    if (file.ends_with("metrics.json")) dialect = "detectron2_metrics";
    EXPECT_EQ(extract_log(folder / file, {}).dialect, dialect) << file;
  }
}

TEST_F(TodaysLogs, OneThatMisleadsGetsNoFigure) {
  const LogFigure figure = extract_log(folder / misleading, {});
  EXPECT_TRUE(std::isnan(figure.throughput));
  EXPECT_EQ(figure.confidence, Confidence::low);
}

}  // namespace
}  // namespace trainmark
