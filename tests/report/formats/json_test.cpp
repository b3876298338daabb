#include <gtest/gtest.h>

#include <limits>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

TEST(JsonReport, HoldsAllThatAResultHolds) {
  SampleJournal journal;
  journal.suite("vision", "x: 1").good(SampleJournal::cell("resnet50", "a", 16), 100);
  journal.good(SampleJournal::cell("resnet50", "a", 16, "1n2g"), 180);
  journal.failed(SampleJournal::cell("bert", "a"), "timeout", "60 s");
  journal.contents.skips = {{SampleJournal::cell("bert", "b"), "not installed"}};
  journal.contents.environments["machine-a"] = {{"cpu", "x"}};
  const auto json = nlohmann::json::parse(journal.report("json"));
  EXPECT_EQ(json.at("schema"), 1);
  ASSERT_EQ(json.at("results").size(), 3u);
  const auto& second = json["results"][1];
  EXPECT_EQ(second.at("status"), "ok");
  EXPECT_EQ(second.at("cell").at("scale"), "1n2g");
  EXPECT_DOUBLE_EQ(second.at("throughput").at("median"), 180);
  const CellThroughput figure = results_of(journal.contents)[1].throughput;
  EXPECT_DOUBLE_EQ(second.at("throughput").at("low"), figure.interval.low);
  EXPECT_DOUBLE_EQ(second.at("throughput").at("high"), figure.interval.high);
  EXPECT_LT(figure.interval.low, figure.interval.high);
  EXPECT_DOUBLE_EQ(second.at("speedup"), 1.8);
  EXPECT_DOUBLE_EQ(second.at("efficiency"), 0.9);
  EXPECT_EQ(second.at("runs").size(), 3u);
  EXPECT_EQ(second["runs"][0].at("folder"), "runs/resnet50-a-r1");
  const auto& failed = json["results"][2];
  EXPECT_EQ(failed.at("status"), "failed");
  EXPECT_TRUE(failed.at("throughput").is_null());
  EXPECT_EQ(failed.at("failed").at(0).at("reason"), "60 s");
  EXPECT_EQ(json.at("skipped").at(0).at("reason"), "not installed");
  EXPECT_EQ(json.at("suites").at(0).at("name"), "vision");
  EXPECT_EQ(json.at("environments").at("machine-a").at("cpu"), "x");
}

TEST(JsonReport, StaysJsonWhateverItHolds) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("res\xff\x01\"net", "a"), 100);
  journal.contents.runs[0].summary.step_max = std::numeric_limits<double>::infinity();
  journal.contents.damage = {"\xc3\x28"};
  EXPECT_TRUE(nlohmann::json::accept(journal.report("json")));
  EXPECT_TRUE(nlohmann::json::accept(SampleJournal().report("json")));
}

}  // namespace
}  // namespace trainmark
