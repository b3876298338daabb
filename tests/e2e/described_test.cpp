// Dialects that a user describes, from the folder of settings, beside a suite and by a path.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "e2e/support/program.h"
#include "journal/journal.h"
#include "logs/made_up_logs.h"

namespace trainmark::e2e {
namespace {

using Json = nlohmann::json;

constexpr const char* comet =
    "name: comet\nsample: 'comet 20: 512.5 img/s'\n"
    "pattern: 'comet (?P<step>\\d+): (?P<rate:images/s>[\\d.]+) img/s'\n";

std::string comet_log() {
  return lines_of(100, [](int step) { return fmt::format("comet {}: 512.5 img/s", step); });
}

TEST(DescribedDialects, AreReadFromTheFolderOfSettings) {
  const TemporaryFolder folder;
  write_text(folder / "settings/trainmark/dialects/comet.yaml", comet);
  write_text(folder / "a.log", comet_log());
  const std::map<std::string, std::string> settings = {{"XDG_CONFIG_HOME", folder / "settings"}};
  const Outcome outcome =
      trainmark({"extract", folder / "a.log", "--gpus", "1", "--format", "json"}, settings);
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const Json log = Json::parse(outcome.output).at("logs").at(0);
  EXPECT_EQ(log.at("dialect"), "comet");
  EXPECT_NEAR(log.at("throughput").get<double>(), 512.5, 1e-6);
  const Outcome listed = trainmark({"list", "dialects"}, settings);
  EXPECT_NE(listed.output.find("comet: comet; prints for a job ("), std::string::npos);
  write_text(folder / "settings/trainmark/dialects/comet.yaml", "name: comet\nsample: a\n");
  const Outcome refused = trainmark({"extract", folder / "a.log"}, settings);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.errors.find("comet.yaml:1: the dialect has no 'pattern'"), std::string::npos)
      << refused.errors;
}

TEST(DescribedDialects, AreNamedByTheirFile) {
  const TemporaryFolder folder;
  write_text(folder / "mine.yaml", comet);
  write_text(folder / "a.log", comet_log());
  const Outcome outcome = trainmark({"extract", folder / "a.log", "--dialect", folder / "mine.yaml",
                                     "--gpus", "1", "--format", "csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find(",comet,images/s,512."), std::string::npos) << outcome.output;
}

TEST(DescribedDialects, AProgramIsMeasuredByTheOneBesideItsSuite) {
  const TemporaryFolder folder;
  write_text(folder / "suite/dialects/comet.yaml", comet);
  write_text(folder / "suite/comet.yaml",
             "matrix: {framework: comet}\nrounds: 1\nmeasure: {rule: fixed, steps: 20, skip: 5}\n"
             "frameworks:\n  comet:\n    dialect: comet\n    batch: 8\n    gpus: 1\n"
             "    command: [sh, -c, 'i=0; while [ $i -lt 400 ]; do i=$((i+1)); "
             "echo \"comet $i: 800 img/s\"; sleep 0.01; done']\n");
  const Outcome outcome =
      trainmark({"run", folder / "suite/comet.yaml", "--out", folder / "results", "--quiet"},
                empty_home(folder / "home"));
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const JournalContents contents = read_journal(folder / "results");
  ASSERT_EQ(contents.runs.size(), 1U);
  EXPECT_TRUE(contents.runs[0].ok);
  EXPECT_NEAR(contents.runs[0].summary.throughput.value, 800, 1);
}

}  // namespace
}  // namespace trainmark::e2e
