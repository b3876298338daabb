// The ways to ask the program what it can do.

#include <gtest/gtest.h>

#include "e2e/support/program.h"

namespace trainmark::e2e {

namespace {

TEST(Help, IsACommandAndAnOption) {
  const Outcome all = trainmark({"help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(all.output, trainmark({"--help"}).output);
  EXPECT_NE(all.output.find("Examples:\n  trainmark run\n"), std::string::npos) << all.output;
  EXPECT_EQ(all.output.find("\n  pages"), std::string::npos) << "not for people";
  const Outcome of_run = trainmark({"help", "run"});
  EXPECT_EQ(of_run.code, 0);
  EXPECT_EQ(of_run.output, trainmark({"run", "--help"}).output);
  EXPECT_NE(of_run.output.find("trainmark run quick --resume"), std::string::npos);
}

TEST(Help, NumbersAreNumbersAndOptionsSayWhatTheyOverride) {
  const std::string run = trainmark({"run", "--help"}, {{"COLUMNS", "200"}}).output;
  EXPECT_NE(run.find("--rounds N "), std::string::npos) << run;
  EXPECT_NE(run.find("overrides the suite's workloads (several: a,b)"), std::string::npos) << run;
  for (const char* command : {"run", "extract", "project", "serve", "measure"}) {
    const std::string help = trainmark({command, "--help"}).output;
    for (const char* kind : {" INT", " UINT", " FLOAT", ":from ", ":above "})
      EXPECT_EQ(help.find(kind), std::string::npos) << command << kind << '\n' << help;
  }
  for (const char* command : {"run", "report", "compare"}) {
    const std::string help = trainmark({command, "--help"}).output;
    for (const char* list : {"Needs:", "Excludes:"})
      EXPECT_EQ(help.find(list), std::string::npos) << command << '\n' << help;
  }
  EXPECT_NE(trainmark({"extract", "--help"}).output.find("| trainmark extract - "),
            std::string::npos);
}

TEST(Help, ASlipIsNamed) {
  const Outcome outcome = trainmark({"help", "reprot"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("did you mean 'report'?"), std::string::npos) << outcome.errors;
}

TEST(Help, TheVersionHasAShortName) {
  const Outcome outcome = trainmark({"-V"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, trainmark({"--version"}).output);
  EXPECT_TRUE(outcome.output.starts_with("trainmark 0.")) << outcome.output;
}

TEST(Help, CompletionsAreForThreeShells) {
  EXPECT_NE(trainmark({"completions", "bash"}).output.find("complete -o filenames -F _trainmark"),
            std::string::npos);
  const Outcome outcome = trainmark({"completions", "csh"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("bash, zsh or fish"), std::string::npos) << outcome.errors;
}

}  // namespace

}  // namespace trainmark::e2e
