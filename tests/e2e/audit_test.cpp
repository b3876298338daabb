// `trainmark audit` as a user would drive it.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "e2e/support/program.h"
#include "logs/made_up_logs.h"

namespace trainmark::e2e {
namespace {

using Json = nlohmann::json;

std::string rank_log(double rate) {
  return lines_of(
      100, [&](int step) { return seg_line(step, rate * (1 + 0.001 * (step % 3)), 16 / rate); });
}

class AuditProgram : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder / "logs/good.log", rank_log(100));
    write_text(folder / "logs/one_rank.log", rank_log(50));
    write_text(folder / "t.csv",
               "log,published,unit,gpus,batch\ngood.log,800,samples/s,8,16\n"
               "one_rank.log,50,samples/s,8,16\n");
  }

  Outcome audit(std::vector<std::string> words) {
    words.insert(words.begin(), {"audit", folder / "t.csv", folder / "logs"});
    return trainmark(words);
  }

  TemporaryFolder folder;
};

bool tells(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST_F(AuditProgram, SaysWhichFiguresFollowFromTheirLogs) {
  const Outcome outcome = audit({});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(tells(outcome.output, "2 figures: 1 within 1 %")) << outcome.output;
  EXPECT_TRUE(tells(outcome.output, "÷ 8 GPUs")) << outcome.output;
  EXPECT_FALSE(tells(outcome.output, "good.log")) << "only what does not fit is listed";
  const Json json = Json::parse(audit({"--format", "json"}).output);
  EXPECT_EQ(json.at("counts").at("within-1"), 1);
  EXPECT_EQ(json.at("figures").at(1).at("explanation").at("reason"), "ranks");
  EXPECT_TRUE(tells(audit({"--format", "csv"}).output, "one_rank.log,50,samples/s,400."));
}

TEST_F(AuditProgram, WritesPagesForPeople) {
  for (const char* name : {"audit.md", "audit.html"}) {
    const std::string format = std::string(name).substr(6);
    const Outcome outcome = audit({"--format", format, "--lang", "zh", "--out", folder / name});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    std::stringstream page;
    page << std::ifstream(folder / name).rdbuf();
    EXPECT_TRUE(tells(page.str(), "统计的卡数或节点数不同")) << name;
    EXPECT_TRUE(tells(page.str(), "good.log")) << name;
  }
}

TEST_F(AuditProgram, AGateFailsOnFiguresThatAreTooFarOff) {
  EXPECT_EQ(audit({"--fail-over", "900"}).code, 0);
  const Outcome outcome = audit({"--fail-over", "10"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(tells(outcome.errors, "gate: one_rank.log: +70")) << outcome.errors;
  std::filesystem::remove(folder / "logs/good.log");
  EXPECT_EQ(audit({}).code, 1) << "a figure whose log is gone";
}

TEST_F(AuditProgram, AFolderInPlaceOfTheTableIsToldWhatComesFirst) {
  const Outcome outcome = trainmark({"audit", folder / "logs"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(tells(outcome.errors, "is a folder; name the table")) << outcome.errors;
}

TEST_F(AuditProgram, MistakesEndWithTwo) {
  write_text(folder / "out.csv", "log,published\n../t.csv,5\n");
  const Outcome outside = trainmark({"audit", folder / "out.csv", folder / "logs"});
  EXPECT_EQ(outside.code, 2);
  EXPECT_TRUE(tells(outside.errors, "out.csv:2: the log '../t.csv' does not lie below"))
      << outside.errors;
  EXPECT_EQ(audit({"--format", "pdf"}).code, 2);
  EXPECT_EQ(trainmark({"audit", folder / "t.csv", folder / "nowhere"}).code, 2);
  EXPECT_EQ(audit({"--out", folder / "t.csv"}).code, 2) << "the table itself";
}

}  // namespace
}  // namespace trainmark::e2e
