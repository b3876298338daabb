// `trainmark compare` and `history` on journals whose figures are known.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/archive.h"
#include "e2e/support/program.h"
#include "journal/journal.h"
#include "report/sample_journal.h"

namespace trainmark::e2e {
namespace {

class Journals : public testing::Test {
 protected:
  /// One cell, measured three times.
  std::string journal(const std::string& name, double throughput, const std::string& day = "01") {
    const std::filesystem::path place = folder_ / name;
    SampleJournal sample;
    sample.good(SampleJournal::cell("resnet50", "a"), throughput).suite(name, "matrix: {}\n");
    sample.contents.suites.front().started = "2021-03-" + day + "T08:00:00Z";
    Journal journal(place);
    journal.append(to_record(sample.contents.suites.front()));
    journal.append(environment_record("machine-a", {{"cpu", "x"}}));
    for (const RunRecord& run : sample.contents.runs) journal.append(to_record(run));
    return place.string();
  }

  TemporaryFolder folder_;
};

std::string answer(const Outcome& outcome) {
  return nlohmann::json::parse(outcome.output).at("comparisons").at(0).at("answer");
}

TEST_F(Journals, AreComparedInPercent) {
  const std::string base = journal("base", 100);
  const std::string slower = journal("slower", 97);
  const auto compare = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"compare", base, slower, "--format", "json"});
    return trainmark(more);
  };
  EXPECT_EQ(answer(compare({})), "slower");
  EXPECT_EQ(answer(compare({"--same", "10"})), "same");
  EXPECT_EQ(compare({"--fail-on-slower", "2"}).code, 1);
  EXPECT_EQ(compare({"--fail-on-slower", "4"}).code, 0);
}

TEST_F(Journals, AreBundledWithoutWhatLinksLeadTo) {
  const std::filesystem::path base = journal("base", 100);
  std::filesystem::create_directories(base / "runs" / "a");
  write_text(base / "runs" / "a" / "stdout.log", "a log");
  write_text(folder_ / "secret", "a secret");
  std::filesystem::create_symlink(folder_ / "secret", base / "runs" / "a" / "link.log");
  const std::string file = (folder_ / "base.tar.zst").string();
  const Outcome outcome = trainmark({"report", base.string(), "--bundle", file});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  unpack_archive(file, folder_ / "unpacked", [](const std::string& name) { return name; });
  const std::filesystem::path run = folder_ / "unpacked/base/runs/a";
  EXPECT_TRUE(std::filesystem::exists(run / "stdout.log"));
  EXPECT_FALSE(std::filesystem::exists(run / "link.log"));
}

TEST_F(Journals, ShowWhereASpeedChanged) {
  std::vector<std::string> arguments = {"history", "--format", "json"};
  for (int day = 1; day <= 8; ++day)
    arguments.push_back(journal("day" + std::to_string(day), (day <= 4 ? 100 : 95) + 0.01 * day,
                                "0" + std::to_string(day)));
  const auto changes = [&] {
    const Outcome outcome = trainmark(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return nlohmann::json::parse(outcome.output).at("cells").at(0).at("changes").size();
  };
  EXPECT_EQ(changes(), 1U);
  arguments.insert(arguments.end(), {"--same", "20"});
  EXPECT_EQ(changes(), 0U);
}

}  // namespace
}  // namespace trainmark::e2e
