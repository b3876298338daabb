// Going on where an earlier run stopped: what counts is pairs of a cell and a round.

#include <gtest/gtest.h>

#include <map>

#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

using Pair = std::pair<int, int>;  // the batch of a cell, and a round

class Pairs : public testing::Test {
 protected:
  Pairs() : home_(empty_home(folder_ / "home")) {
    // A clock that dies of batches above 1 until it is fixed.
    write_text(program_, fmt::format("#!/bin/sh\n"
                                     "case \"$* \" in *'--batch 1 '*|*--describe*) ;;\n"
                                     "*) [ -e {} ] || set -- \"$@\" --crash-after 5 ;; esac\n"
                                     "exec {} \"$@\"\n",
                                     mended_, own_clock(folder_.path())));
    fs::permissions(program_, fs::perms::owner_all);
    write_text(
        suite_,
        fmt::format("matrix: {{workload: clock, framework: clock, size: tiny, batch: [1, 2]}}\n"
                    "measure: {{rule: fixed, steps: 20, skip: 2}}\nrounds: 2\n"
                    "frameworks: {{clock: {{program: [{}], arguments: [--step-ms, 1]}}}}\n",
                    program_));
  }

  Outcome run(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"run", suite_, "--out", results_});
    return trainmark(more, home_);
  }

  void mend() { write_text(mended_, ""); }

  /// How many runs of each pair went well, and badly.
  std::map<Pair, int> runs_that(bool went_well) const {
    std::map<Pair, int> pairs;
    for (const auto& run : read_journal(results_).runs)
      if (run.ok == went_well) ++pairs[{run.cell.batch, run.round}];
    return pairs;
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> home_;
  std::string program_ = (folder_ / "clock").string();
  std::string mended_ = (folder_ / "mended").string();
  std::string suite_ = (folder_ / "s.yaml").string();
  std::string results_ = (folder_ / "results").string();
};

const std::map<Pair, int> first_batch = {{{1, 1}, 1}, {{1, 2}, 1}};
const std::map<Pair, int> second_batch = {{{2, 1}, 1}, {{2, 2}, 1}};

TEST_F(Pairs, FailedRunsAreDoneAgainOnlyWhenAsked) {
  EXPECT_EQ(run().code, 1);
  EXPECT_EQ(runs_that(true), first_batch);
  EXPECT_EQ(runs_that(false), second_batch);
  mend();
  EXPECT_EQ(run({"--resume"}).code, 1) << "what failed has failed";
  EXPECT_EQ(runs_that(true), first_batch);

  const Outcome again = run({"--resume", "--retry-failed"});
  EXPECT_EQ(again.code, 0) << again.errors;
  std::map<Pair, int> all = first_batch;
  all.insert(second_batch.begin(), second_batch.end());
  EXPECT_EQ(runs_that(true), all) << "each failed pair once more, and no other";
  EXPECT_EQ(runs_that(false), second_batch) << "what failed stays in the journal";

  EXPECT_EQ(run({"--resume", "--retry-failed"}).code, 0);
  EXPECT_EQ(runs_that(true), all) << "nothing is left to be done again";
}

TEST_F(Pairs, GoesOnWithMoreRoundsInTheSameJournal) {
  mend();
  EXPECT_EQ(run().code, 0);
  const Outcome more = run({"--resume", "--rounds", "5"});
  EXPECT_EQ(more.code, 0) << more.errors;
  std::map<Pair, int> all;
  for (const int batch : {1, 2})
    for (int round = 1; round <= 5; ++round) all[{batch, round}] = 1;
  EXPECT_EQ(runs_that(true), all);
}

TEST_F(Pairs, RunsOfTwoKindsAreNotMixed) {
  mend();
  EXPECT_EQ(run({"--set", "steps=25"}).code, 0);
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--resume"}, {"--resume", "--set", "steps=30"}}) {
    const Outcome outcome = run(other);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("not mixed"), std::string::npos) << outcome.errors;
  }
  EXPECT_EQ(run({"--resume", "--set", "steps=25"}).code, 0);
}

TEST_F(Pairs, AnotherRuleHasValuesOfItsOwn) {
  const Outcome outcome = run({"--rule", "adaptive", "--dry-run"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("rule adaptive"), std::string::npos) << outcome.output;
}

TEST_F(Pairs, GoesOnWithTheNewestResultsWhereNoneAreNamed) {
  mend();
  for (const char* day : {"20260101", "20260102"}) {
    results_ = (folder_ / "results" / fmt::format("s-{}-080000", day)).string();
    EXPECT_EQ(run().code, 0);
  }
  const Outcome more = run_program({"env", "--chdir", folder_.path().string(), program_path(),
                                    "run", suite_, "--resume", "--rounds", "3"},
                                   home_);
  EXPECT_EQ(more.code, 0) << more.errors;
  EXPECT_EQ(runs_that(true).size(), 6U) << "of the second day";
  results_ = (folder_ / "results" / "s-20260101-080000").string();
  EXPECT_EQ(runs_that(true).size(), 4U);
}

}  // namespace
}  // namespace trainmark::e2e
