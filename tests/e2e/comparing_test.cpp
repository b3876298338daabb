// `compare` and `history` as their users meet them, on journals of imported figures: nothing has to
// be measured for these.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "e2e/support/program.h"

namespace trainmark::e2e {

namespace {

namespace fs = std::filesystem;

class Comparing : public testing::Test {
 protected:
  /// A journal with one published figure per workload.
  fs::path journal(const std::string& name, const std::map<std::string, double>& figures) const {
    std::string csv = "workload,framework,precision,batch,throughput,unit,source\n";
    for (const auto& [workload, throughput] : figures)
      csv += fmt::format("{},a,fp32,8,{},images,somebody\n", workload, throughput);
    write_text(folder_ / (name + ".csv"), csv);
    const Outcome outcome =
        trainmark({"import", folder_ / (name + ".csv"), "--into", folder_ / name});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return folder_ / name;
  }

  TemporaryFolder folder_;
};

TEST_F(Comparing, ACellThatVanishedTripsTheGate) {
  const fs::path base = journal("base", {{"resnet50", 100}, {"bert", 50}});
  const fs::path next = journal("next", {{"resnet50", 100}});
  const Outcome tripped = trainmark({"compare", base, next, "--fail-on-slower", "5"});
  EXPECT_EQ(tripped.code, 1);
  EXPECT_NE(tripped.errors.find("gate: bert:full/a/fp32/b8/cuda/1n1g: measured in BASE, missing"),
            std::string::npos)
      << tripped.errors;
  EXPECT_EQ(trainmark({"compare", base, next, "--fail-on-slower", "5", "--allow-missing"}).code, 0);
  EXPECT_EQ(trainmark({"compare", next, base, "--fail-on-slower", "5"}).code, 0) << "new cells";
  const Outcome json =
      trainmark({"compare", base, next, "--fail-on-slower", "5", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(json.output).at("gate").size(), 1U);
}

TEST_F(Comparing, AnImportIsReadAsSpreadsheetsWriteItAndAddedOnce) {
  write_text(folder_ / "a.csv",
             "\xEF\xBB\xBFworkload,framework,precision,batch,throughput,unit,source\r\n"
             "resnet50,a,fp32,8,100,images,\"a report\r\nof two lines\"\r\n");
  const auto import = [&] {
    return trainmark({"import", folder_ / "a.csv", "--into", folder_ / "j"});
  };
  const Outcome first = import();
  ASSERT_EQ(first.code, 0) << first.errors;
  EXPECT_NE(first.errors.find("1 figure added"), std::string::npos) << first.errors;
  const Outcome second = import();
  EXPECT_EQ(second.code, 0);
  EXPECT_NE(second.errors.find("1 was there already"), std::string::npos) << second.errors;
  const Outcome report = trainmark({"report", folder_ / "j", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(report.output).at("results").at(0).at("runs").size(), 1U);
}

TEST_F(Comparing, OneCellIsOne) {
  write_text(folder_ / "s.yaml", clock_suite("rule: fixed, steps: 20, skip: 2", {}));
  const Outcome outcome = trainmark({"run", folder_ / "s.yaml", "--out", folder_ / "r"});
  EXPECT_NE(outcome.errors.find("s: 1 cell x 1 round into"), std::string::npos) << outcome.errors;
}

TEST_F(Comparing, TwoFailuresAreNotSettledByMoreRounds) {
  write_text(folder_ / "s.yaml", clock_suite("rule: fixed, steps: 20, skip: 2",
                                             {"--exit-after", "3", "--exit-code", "7"}));
  for (const char* name : {"a", "b"})
    EXPECT_EQ(trainmark({"run", folder_ / "s.yaml", "--out", folder_ / name, "--quiet"}).code, 1);
  const Outcome outcome = trainmark({"compare", folder_ / "a", folder_ / "b"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(outcome.output.find("would resolve it"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("both sides have no successful run"), std::string::npos)
      << outcome.output;
}

TEST_F(Comparing, AHistoryCountsAJournalOnceHoweverItIsGiven) {
  const fs::path first = journal("first", {{"resnet50", 100}});
  const fs::path second = journal("second", {{"resnet50", 90}});
  ASSERT_EQ(trainmark({"report", first, "--bundle", folder_ / "first.tar.zst"}).code, 0);
  const Outcome outcome = trainmark({"history", first, first.string() + "/.", second,
                                     folder_ / "first.tar.zst", "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json.at("journals").size(), 2U);
  EXPECT_EQ(json.at("cells").at(0).at("points").size(), 2U);
  EXPECT_NE(outcome.errors.find("first.tar.zst is the same journal as"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(trainmark({"history", first, folder_ / "first.tar.zst"}).code, 2);
}

}  // namespace

}  // namespace trainmark::e2e
