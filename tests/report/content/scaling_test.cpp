#include "report/content/scaling.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace trainmark
