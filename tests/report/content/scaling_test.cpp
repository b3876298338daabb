#include "report/content/scaling.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

/// DLPerf's ArcFace: 397.78 on one device, 2545.3 on eight.
SampleJournal arcface() {
  SampleJournal journal;
  journal.good(SampleJournal::cell("arcface", "paddle:static", 128, "1n8g"), 2545.3)
      .good(SampleJournal::cell("arcface", "paddle:static", 128), 397.78)
      .good(SampleJournal::cell("bert", "paddle:static", 128), 100);
  for (RunRecord& run : journal.contents.runs) {
    if (run.cell.scale.ranks() == 1) continue;
    run.ranks.communication = 0.31;
    run.ranks.exposed = 0.125;
  }
  return journal;
}

TEST(ScalingTable, HasTheSmallestFirstAndTheSharesOfCommunication) {
  const std::string text = arcface().report("table");
  const std::size_t table = text.find("Scaling: arcface");
  ASSERT_NE(table, std::string::npos) << text;
  EXPECT_EQ(text.find("Scaling: bert"), std::string::npos) << "one scale is no series";
  const std::string part = text.substr(table);
  EXPECT_LT(part.find("397.8"), part.find("2545.3")) << part;
  for (const char* word : {"6.40", "0.80", "31.0 %", "12.5 %"}) {
    EXPECT_NE(part.find(word), std::string::npos) << word << '\n' << part;
  }
}

TEST(ScalingTable, IsInMarkdownAndCsvToo) {
  const std::string page = arcface().report("md");
  EXPECT_NE(page.find("waiting for communication"), std::string::npos);
  EXPECT_NE(page.find("12.5 %"), std::string::npos);
  const std::string csv = arcface().report("csv");
  EXPECT_NE(csv.find(",communication,exposed,"), std::string::npos);
  EXPECT_NE(csv.find(",0.31,0.125,"), std::string::npos) << csv;
}

TEST(Scaling, HasTheShapeOfDlperfsScripts) {
  const auto json = nlohmann::json::parse(arcface().report("json"));
  const auto& eight = json["scaling"]["arcface"]["1n8g"];
  EXPECT_EQ(eight["median_speed"], 2545.3);
  EXPECT_EQ(eight["batch_size_per_device"], 128);
  EXPECT_EQ(eight["speedup"], 6.4);
  EXPECT_EQ(json["scaling"]["arcface"]["1n1g"]["speedup"], 1.0);
}

nlohmann::json scaling_of_cells(const std::vector<Cell>& cells) {
  SampleJournal journal;
  double speed = 100;
  for (const Cell& cell : cells) journal.good(cell, speed *= 2);
  return nlohmann::json::parse(journal.report("json"))["scaling"];
}

TEST(Scaling, CellsThatDifferInAnythingButTheScaleAreSeriesOfTheirOwn) {
  const Cell plain = SampleJournal::cell("resnet50", "jax:jit", 8);
  const auto changed = [&](const std::function<void(Cell&)>& change) {
    Cell cell = plain;
    change(cell);
    return cell;
  };
  const std::vector<Cell> others = {changed([](Cell& cell) { cell.size = "tiny"; }),
                                    changed([](Cell& cell) { cell.shapes["resolution"] = 64; }),
                                    changed([](Cell& cell) { cell.data = "pictures"; }),
                                    changed([](Cell& cell) { cell.input = pipeline_only; }),
                                    changed([](Cell& cell) { cell.device = "other"; }),
                                    changed([](Cell& cell) { cell.accumulate = 4; }),
                                    changed([](Cell& cell) { cell.batch = 16; }),
                                    changed([](Cell& cell) { cell.precision = "bf16"; }),
                                    changed([](Cell& cell) { cell.framework = "jax:scan"; })};
  for (const Cell& other : others) {
    const nlohmann::json scaling = scaling_of_cells({plain, other});
    EXPECT_EQ(scaling.size(), 2U) << other.key() << '\n' << scaling;
    for (const auto& [name, scales] : scaling.items()) {
      EXPECT_TRUE(name.starts_with("resnet50_")) << name;
      EXPECT_EQ(scales["1n1g"]["speedup"], 1.0) << name;
    }
  }
}

TEST(Scaling, NamesSayWhatTheCellsDifferIn) {
  Cell full = SampleJournal::cell("resnet50", "jax:jit", 8);
  full.size = "full";
  Cell tiny = full;
  tiny.size = "tiny";
  Cell wide = tiny;
  wide.scale = {1, 4};
  const nlohmann::json scaling = scaling_of_cells({full, tiny, wide});
  EXPECT_EQ(scaling.at("resnet50_full").size(), 1U) << scaling;
  EXPECT_EQ(scaling.at("resnet50_tiny").at("1n4g").at("speedup"), 2.0) << scaling;
}

TEST(Scaling, ACellIsNamedByItsKeyWhereShortNamesAreEqual) {
  const nlohmann::json scaling =
      scaling_of_cells({SampleJournal::cell("a_b", "c"), SampleJournal::cell("a_b", "d"),
                        SampleJournal::cell("a", "b_c"), SampleJournal::cell("a", "d")});
  EXPECT_EQ(scaling.size(), 4U) << scaling;
  EXPECT_FALSE(scaling.contains("")) << scaling;
}

}  // namespace
}  // namespace trainmark
