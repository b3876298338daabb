#include "journal/quality_result.h"

#include <gtest/gtest.h>

#include "report/quality_journal.h"

namespace trainmark {
namespace {

Result result_of(const QualityJournal& journal) {
  return results_of(journal.contents).at(0);
}

TEST(QualityResults, AreMadeFromAllSeeds) {
  QualityJournal journal;
  journal.trained(QualityJournal::cell("libtorch:eager"), {1000, 1100, 1200});
  const Result result = result_of(journal);
  ASSERT_TRUE(result.quality);
  EXPECT_EQ(result.quality->metric, "top-1 accuracy");
  EXPECT_EQ(result.quality->target, 0.9);
  EXPECT_EQ(result.quality->time.trials, 3U);
  EXPECT_EQ(result.quality->time.reached, 3U);
  EXPECT_NEAR(result.quality->time.samples.mean, 1097, 1);
}

TEST(QualityResults, CountTrainingsThatMissedTheTarget) {
  QualityJournal journal;
  const Cell cell = QualityJournal::cell("libtorch:eager");
  journal.trained(cell, {1000, 1100}).missed(cell, 4000, 3);
  RunRecord late = QualityJournal::training(cell, 3000, 4, false);
  late.ok = false;
  late.failure = "timeout";
  RunRecord crashed = QualityJournal::training(cell, 10, 5, false);
  crashed.ok = false;
  crashed.failure = "crash";
  journal.contents.runs.push_back(late);
  journal.contents.runs.push_back(crashed);
  const Result result = result_of(journal);
  EXPECT_EQ(result.quality->time.trials, 4U) << "all but the crash";
  EXPECT_EQ(result.quality->time.reached, 2U);
  EXPECT_EQ(result.quality->runs.back()->round, 4);
  EXPECT_FALSE(result.quality->trials.back().reached);
}

TEST(QualityResults, CountATrainingOnceThatRanOutOfTimeAndWentOn) {
  QualityJournal journal;
  const Cell cell = QualityJournal::cell("libtorch:eager");
  for (const double samples : {300, 600}) {
    RunRecord late = QualityJournal::training(cell, samples, 2, false);
    late.id += std::to_string(samples);
    late.ok = false;
    late.failure = "timeout";
    journal.contents.runs.push_back(late);
  }
  const auto time = [&] { return result_of(journal).quality->time; };
  EXPECT_EQ(time().trials, 1U) << "it ran out of time twice";
  journal.trained(cell, {1000, 1100});
  EXPECT_EQ(time().trials, 2U);
  EXPECT_EQ(time().reached, 2U);
}

TEST(QualityResults, DoNotMixTargets) {
  QualityJournal journal;
  const Cell cell = QualityJournal::cell("libtorch:eager");
  journal.trained(cell, {1000, 1100});
  journal.contents.runs.at(1).quality->target = 0.5;
  EXPECT_EQ(result_of(journal).quality->time.trials, 1U);
}

TEST(QualityResults, AreNoneOfTrainingsForSpeed) {
  QualityJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 100);
  EXPECT_FALSE(result_of(journal).quality);
}

TEST(QualityResults, AreNoneWhereNothingWasTrained) {
  QualityJournal journal;
  journal.trained(QualityJournal::cell("libtorch:eager"), {0});
  EXPECT_FALSE(result_of(journal).quality);
}

TEST(QualityResults, DoNotComplainOfTheCap) {
  QualityJournal journal;
  const Cell cell = QualityJournal::cell("libtorch:eager");
  journal.missed(cell, 4000, 1);
  journal.contents.runs.front().summary.stopped = "cap";
  journal.contents.runs.front().summary.converged = false;
  for (const Verdict& verdict : result_of(journal).verdicts)
    EXPECT_NE(verdict.name, "not-converged");
}

}  // namespace
}  // namespace trainmark
