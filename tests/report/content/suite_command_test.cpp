#include "report/content/suite_command.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace trainmark {
namespace {

SuiteRecord quick_suite(const std::vector<std::string>& only) {
  SuiteRecord suite;
  suite.name = "quick";
  suite.text = "matrix: {}\n";
  suite.overrides = {"--set interval=0.2%"};
  suite.rounds = 3;
  suite.only = only;
  return suite;
}

TEST(SuiteCommand, RepeatsWhatTheCommandLineSaid) {
  EXPECT_EQ(shell_line(suite_command(quick_suite({}))),
            "trainmark run quick.yaml --set interval=0.2% --rounds 3");
  EXPECT_EQ(shell_line(suite_command(quick_suite({"clock", "resnet50:*"}))),
            "trainmark run quick.yaml --set interval=0.2% --rounds 3 --only clock --only "
            "'resnet50:*'");
}

TEST(DifferentSuites, AreThoseOfWhichOtherCellsWereWanted) {
  EXPECT_EQ(different_suites({quick_suite({"clock"}), quick_suite({"clock"})}).size(), 1U);
  EXPECT_EQ(different_suites({quick_suite({"clock"}), quick_suite({})}).size(), 2U);
}

}  // namespace
}  // namespace trainmark
