// Real logs of others with the figures their authors published. They are not part of this project;
// the tests run where the folder is there ($TRAINMARK_LOGS, or shared/logs beside the project).

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "csv_rows.h"
#include "logs/extract.h"
#include "logs/scaling.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

class RealLogs : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("TRAINMARK_LOGS");
    folder = named != nullptr ? fs::path(named) : fs::path(TRAINMARK_SOURCE) / "../shared/logs";
    if (!fs::exists(folder / "expected.csv")) GTEST_SKIP() << "there is no " << folder;
  }

  ExtractOptions options(const std::map<std::string, std::string>& row) const {
    ExtractOptions result;
    if (row.at("gpus") != "0") result.given.gpus = std::stoi(row.at("gpus"));
    result.given.batch = std::stoi(row.at("batch_size_per_gpu"));
    return result;
  }

  fs::path folder;
};

TEST_F(RealLogs, AuthorsRulesGiveTheirFigures) {
  std::size_t rows = 0;
  for (const auto& row : csv_rows(folder / "expected.csv")) {
    ExtractOptions given = options(row);
    given.given.nodes = std::stoi(row.at("nodes"));
    given.rule = row.at("rule");
    const double expected = std::stod(row.at("reproduced"));
    EXPECT_NEAR(extract_log(folder / row.at("file"), given).throughput, expected, 1e-4 * expected)
        << row.at("file") << ": " << given.rule;
    ++rows;
  }
  EXPECT_GT(rows, 100U);
}

TEST_F(RealLogs, TheDialectIsFoundInEveryLog) {
  for (const auto& row : csv_rows(folder / "expected.csv")) {
    const std::string rule = row.at("rule");
    const std::string dialect = rule.substr(8, rule.find(' ') - 8);
    EXPECT_EQ(extract_log(folder / row.at("file"), options(row)).dialect, dialect)
        << row.at("file");
  }
}

TEST_F(RealLogs, BlindFiguresLieNearThePublishedOnes) {
  int rows = 0;
  int near = 0;
  for (const auto& row : csv_rows(folder / "expected.csv")) {
    if (row.at("gpus") == "0" || row.at("published").empty()) continue;
    if (std::abs(std::stod(row.at("rel_diff"))) > 0.01) continue;
    const LogFigure figure = extract_log(folder / row.at("file"), options(row));
    const double off = figure.throughput / std::stod(row.at("published")) - 1;
    ++rows;
    if (std::abs(off) <= 0.03) ++near;
    EXPECT_TRUE(std::abs(off) <= 0.1 || !figure.verdicts.empty()) << row.at("file") << " " << off;
  }
  EXPECT_GT(rows, 90);
  EXPECT_GE(near, 0.95 * rows) << near << " of " << rows;
}

TEST_F(RealLogs, DlperfsTablesAreMadeAgainExactly) {
  std::map<std::string, std::vector<ScalingCase>> reports;
  const auto rows = csv_rows(folder / "dlperf_runs.csv");
  for (const auto& row : rows) {
    ScalingCase scaling;
    scaling.model = row.at("model");
    scaling.batch = std::stoi(row.at("batch_size_per_device"));
    scaling.scale = Scale::parse(row.at("run_case")).value();
    for (const auto& run : split(row.at("runs"), ';')) scaling.speeds.push_back(std::stod(run));
    add_up(scaling);
    reports[row.at("report")].push_back(scaling);
  }
  for (auto& [report, cases] : reports) add_speedups(cases);
  for (const auto& row : rows) {
    bool found = false;
    for (const ScalingCase& scaling : reports[row.at("report")]) {
      if (scaling.model != row.at("model") || scaling.scale.text() != row.at("run_case") ||
          scaling.batch != std::stoi(row.at("batch_size_per_device")))
        continue;
      if (scaling.average != std::stod(row.at("average_speed"))) continue;
      found = true;
      EXPECT_EQ(scaling.median, std::stod(row.at("median_speed"))) << row.at("report");
      EXPECT_EQ(scaling.speedup, std::stod(row.at("speedup"))) << row.at("report");
    }
    EXPECT_TRUE(found) << row.at("report") << " " << row.at("run_case");
  }
  EXPECT_GT(rows.size(), 50U);
}

}  // namespace
}  // namespace trainmark
