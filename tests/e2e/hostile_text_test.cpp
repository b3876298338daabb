// Names and units come from files of others: none of them may steer a terminal.

#include <gtest/gtest.h>

#include "e2e/support/program.h"

namespace trainmark::e2e {

namespace {

const std::string hostile = "a\x1b[2J\x07\u202Eb";

/// Nothing of a hostile text may reach a terminal as it is.
void expect_harmless(const std::string& text) {
  for (const char* sign : {"\x1b", "\x07", "\u202E"})
    EXPECT_EQ(text.find(sign), std::string::npos) << text;
}

TEST(HostileText, InAUnitIsEscapedByProject) {
  const TemporaryFolder folder;
  const std::string figure = "a\x1b[2J,f,fp32,8,{},100,i\x1b[2J\x07\xE2\x80\xAEx,1e6,s\n";
  write_text(folder / "points.csv",
             "workload,framework,precision,batch,scale,throughput,unit,parameters,source\n" +
                 fmt::format(fmt::runtime(figure), "1n1g") +
                 fmt::format(fmt::runtime(figure), "1n2g"));
  const Outcome outcome = trainmark({"project", folder / "points.csv", "--up-to", "4"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("i?[2J??x/s"), std::string::npos) << outcome.output;
  expect_harmless(outcome.output + outcome.errors);
}

TEST(HostileText, InTheNameOfASuiteIsEscapedByRun) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / (hostile + ".yaml");
  write_text(file, clock_suite("rule: fixed, steps: 20, skip: 2", {}));
  const Outcome good = trainmark({"run", file, "--out", folder / "results"});
  EXPECT_EQ(good.code, 0) << good.errors;
  expect_harmless(good.output + good.errors);
  const Outcome shown = trainmark({"run", file, "--dry-run"});
  EXPECT_EQ(shown.code, 0) << shown.errors;
  expect_harmless(shown.output + shown.errors);
  write_text(file, "matrx: {}\n");
  const Outcome bad = trainmark({"run", file, "--out", folder / "other"});
  EXPECT_EQ(bad.code, 2);
  expect_harmless(bad.errors);
  expect_harmless(trainmark({"run", folder.path() / (hostile + "c.yaml")}).errors);
}

}  // namespace

}  // namespace trainmark::e2e
