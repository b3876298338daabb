#include "journal/results.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

const Verdict* find(const Result& result, const std::string& name) {
  for (const Verdict& verdict : result.verdicts)
    if (verdict.name == name) return &verdict;
  return nullptr;
}

Cell resnet(const std::string& scale = "1n1g", const std::string& precision = "fp32",
            const std::string& device = "cuda") {
  return SampleJournal::cell("resnet50", "libtorch:eager", 16, scale, precision, device);
}

TEST(Results, GroupInOrderOfAppearanceAndRunsInOrderOfRounds) {
  SampleJournal journal;
  const Cell first = resnet(), second = SampleJournal::cell("bert", "libtorch:eager");
  journal.contents.runs = {SampleJournal::run(first, 100, 2), SampleJournal::run(second, 50, 1),
                           SampleJournal::run(first, 101, 1)};
  const auto results = results_of(journal.contents);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].cell, first);
  EXPECT_EQ(results[1].cell, second);
  ASSERT_EQ(results[0].runs.size(), 2u);
  EXPECT_EQ(results[0].runs[0]->round, 1);
  EXPECT_EQ(results[0].runs[1]->round, 2);
  EXPECT_EQ(results[0].unit, "images");
  EXPECT_EQ(summaries(results[0]).size(), 2u);
}

/// Three runs at their cap, each known to ±10 %, whose rule was to reach `wanted`.
Result capped(SampleJournal& journal, const std::string& wanted, double spread) {
  for (int round = 1; round <= 3; ++round) {
    RunRecord run = SampleJournal::run(resnet(), 100 + spread * round, round);
    run.rule = "adaptive interval=" + wanted + " max_seconds=8";
    run.summary.stopped = "cap";
    run.summary.converged = false;
    run.summary.used = 5;
    const double value = run.summary.throughput.value;
    run.summary.throughput.interval = {0.9 * value, 1.1 * value};
    run.verdicts = {{"not-converged", "as older versions said of each run"}};
    journal.contents.runs.push_back(run);
  }
  return results_of(journal.contents).front();
}

TEST(Results, AreConvergedWhereTheRunsTogetherAre) {
  SampleJournal journal;
  EXPECT_FALSE(find(capped(journal, "0.07", 0.1), "not-converged")) << "±10 % ÷ √3 is 6 %";
}

TEST(Results, AreNotConvergedWhereTheCapCameFirst) {
  SampleJournal journal;
  const Result result = capped(journal, "0.02", 0.1);
  ASSERT_TRUE(find(result, "not-converged"));
  EXPECT_NE(find(result, "not-converged")->message.find("±2 % was requested"), std::string::npos)
      << find(result, "not-converged")->message;
}

TEST(Results, DifferWhereTheMachineDoesAndNotForWantOfSteps) {
  SampleJournal journal;
  const Result result = capped(journal, "0.07", 20);
  EXPECT_TRUE(find(result, "runs-disagree"));
  EXPECT_FALSE(find(result, "not-converged")) << "each run is known well enough";
  SampleJournal vague;
  EXPECT_TRUE(find(capped(vague, "0.02", 20), "not-converged")) << "±10 % ÷ √3 is not 2 %";
}

TEST(Results, SpeedUpIsAgainstTheMedianOfOneDevice) {
  SampleJournal journal;
  journal.good(resnet("1n8g"), 640).good(resnet(), 100).good(resnet("1n4g", "amp-fp16"), 500);
  const auto results = results_of(journal.contents);
  ASSERT_TRUE(results[0].speedup.has_value());
  EXPECT_DOUBLE_EQ(*results[0].speedup, 6.4);
  EXPECT_DOUBLE_EQ(*results[0].efficiency, 0.8);
  EXPECT_DOUBLE_EQ(results[1].speedup.value(), 1.0);
  EXPECT_FALSE(results[2].speedup.has_value()) << "there is no base at that precision";
  journal.good(resnet("2n4g"), 400);
  EXPECT_DOUBLE_EQ(results_of(journal.contents)[3].efficiency.value(), 0.5) << "of all eight";
}

TEST(Results, FailedRunsAreKeptApart) {
  SampleJournal journal;
  journal.good(resnet(), 100).failed(resnet(), "timeout", "no step in 60 s", 4);
  journal.failed(resnet("1n8g"), "out-of-memory", "16 GiB");
  const auto results = results_of(journal.contents);
  EXPECT_EQ(results[0].runs.size(), 3u);
  EXPECT_EQ(results[0].failed.size(), 1u);
  ASSERT_TRUE(find(results[0], "runs-failed"));
  EXPECT_EQ(find(results[0], "runs-failed")->message,
            "1 of 4 runs failed (no step in 60 s); the figure is based on the others");
  EXPECT_TRUE(results[1].runs.empty());
  EXPECT_EQ(results[1].throughput.value, 0);
  EXPECT_FALSE(results[1].speedup.has_value());
}

TEST(Results, VerdictsAreMergedByName) {
  SampleJournal journal;
  journal.good(resnet(), 100);
  journal.contents.runs[0].verdicts = {{"outliers", "3 steps"}, {"outliers", "on GPU 1, too"}};
  journal.contents.runs[1].verdicts = {{"drift", "slower"}};
  journal.contents.runs[2].verdicts = {{"outliers", "9 steps"}};
  const auto results = results_of(journal.contents);
  ASSERT_EQ(results[0].verdicts.size(), 2u);
  EXPECT_EQ(find(results[0], "outliers")->message, "3 steps (in 2 of 3 runs)");
  EXPECT_EQ(find(results[0], "drift")->message, "slower");
}

TEST(Results, FasterThanLinear) {
  SampleJournal journal;
  journal.good(resnet(), 100).good(resnet("1n2g"), 209).good(resnet("1n4g"), 440);
  const auto results = results_of(journal.contents);
  EXPECT_FALSE(find(results[1], "faster-than-linear"));
  EXPECT_TRUE(find(results[2], "faster-than-linear"));
}

TEST(Results, AmpSlowerThanFp32OnAGpuOnly) {
  SampleJournal journal;
  for (const char* device : {"cuda", "cpu"})
    journal.good(resnet("1n1g", "fp32", device), 100).good(resnet("1n1g", "amp-bf16", device), 90);
  const auto results = results_of(journal.contents);
  EXPECT_FALSE(find(results[0], "amp-slower-than-fp32"));
  EXPECT_TRUE(find(results[1], "amp-slower-than-fp32"));
  EXPECT_FALSE(find(results[3], "amp-slower-than-fp32"));
}

TEST(Results, TheTrainerDidSomethingElse) {
  SampleJournal journal;
  journal.good(resnet("1n8g"), 100);
  for (RunRecord& run : journal.contents.runs) {
    run.trainer["batch"] = 8;
    run.trainer["precision"] = "tf32";
    run.trainer["world_size"] = 7;
  }
  const auto results = results_of(journal.contents);
  EXPECT_TRUE(find(results[0], "batch-mismatch"));
  EXPECT_TRUE(find(results[0], "precision-mismatch"));
  EXPECT_TRUE(find(results[0], "rank-missing"));
  EXPECT_EQ(results[0].verdicts.size(), 3u);
}

TEST(Results, TheTrainerUsedAnotherShape) {
  SampleJournal journal;
  Cell cell = resnet();
  cell.shapes["classes"] = 5000;
  journal.good(cell, 100);
  EXPECT_TRUE(find(results_of(journal.contents)[0], "shape-mismatch")) << "it says nothing of it";
  for (RunRecord& run : journal.contents.runs) run.trainer["shapes"] = {{"classes", 1000}};
  EXPECT_TRUE(find(results_of(journal.contents)[0], "shape-mismatch"));
  for (RunRecord& run : journal.contents.runs) run.trainer["shapes"] = {{"classes", 5000}};
  EXPECT_FALSE(find(results_of(journal.contents)[0], "shape-mismatch"));
}

TEST(Results, UtilisationAboveOne) {
  SampleJournal journal;
  journal.good(resnet(), 100);
  for (RunRecord& run : journal.contents.runs) {
    run.trainer["flops_per_item"] = 12e9;
    run.trainer["matrix_flops_per_second"] = 1e12;
  }
  EXPECT_TRUE(find(results_of(journal.contents)[0], "mfu-above-one"));
  for (RunRecord& run : journal.contents.runs) run.trainer["matrix_flops_per_second"] = 2e12;
  EXPECT_FALSE(find(results_of(journal.contents)[0], "mfu-above-one"));
}

TEST(Results, AProbeServesEveryFrameworkOnTheSameDeviceInTheSamePrecision) {
  SampleJournal journal;
  const Cell other = SampleJournal::cell("resnet50", "pytorch:eager", 16, "1n1g", "fp32", "cuda");
  journal.good(resnet(), 100).good(other, 50).good(resnet("1n1g", "amp-fp16"), 200);
  for (RunRecord& run : journal.contents.runs) {
    run.trainer["flops_per_item"] = 12e9;
    run.trainer["device_name"] = "one";
    if (run.cell == resnet()) run.trainer["matrix_flops_per_second"] = 6e12;
  }
  const auto results = results_of(journal.contents);
  EXPECT_NEAR(results[0].utilisation.value(), 0.2, 0.001);
  EXPECT_NEAR(results[1].utilisation.value(), 0.1, 0.001);
  EXPECT_FALSE(results[2].utilisation) << "no probe at that precision";
  journal.good(resnet("1n4g"), 300);
  for (RunRecord& run : journal.contents.runs) {
    run.trainer["flops_per_item"] = 12e9;
    run.trainer["device_name"] = "one";
  }
  EXPECT_NEAR(results_of(journal.contents)[3].utilisation.value(), 0.15, 0.001) << "of four";
}

TEST(Results, EnergyIsTheMeanOfTheRunsThatKnowIt) {
  SampleJournal journal;
  journal.good(resnet(), 100);
  EXPECT_FALSE(results_of(journal.contents)[0].joules_per_item);
  journal.contents.runs[0].joules_per_item = 2;
  journal.contents.runs[2].joules_per_item = 4;
  EXPECT_DOUBLE_EQ(results_of(journal.contents)[0].joules_per_item.value(), 3);
}

TEST(Results, StartEventsOfAnyShapeAreRead) {
  SampleJournal journal;
  journal.good(resnet(), 100);
  journal.contents.runs[0].trainer = nullptr;
  journal.contents.runs[1].trainer = nlohmann::json::object({{"batch", "many"}, {"precision", 1}});
  journal.contents.runs[2].trainer = nlohmann::json::array();
  EXPECT_TRUE(results_of(journal.contents)[0].verdicts.empty());
}

/// What is said of the second of two cells that took turns.
std::string turns_verdict(const std::string& stopped) {
  SampleJournal journal;
  TurnsRecord turns;
  for (const char* framework : {"one", "other"}) {
    journal.contents.runs.push_back(
        SampleJournal::run(SampleJournal::cell("bert", framework), 100));
    journal.contents.runs.back().id += framework;
    turns.runs.push_back(journal.contents.runs.back().id);
  }
  for (int block = 0; block < 8; ++block)
    turns.blocks.push_back({0.1 + 1e-4 * (block % 3), 0.125 + 1e-4 * (block % 2)});
  turns.stopped = stopped;
  turns.converged = stopped == "interval";
  journal.contents.turns = {turns};
  const Result second = results_of(journal.contents).at(1);
  const Verdict* const found = find(second, "not-converged");
  return found == nullptr ? "" : found->message;
}

TEST(Results, OfTurnsSayWhyTheirRatioIsVague) {
  EXPECT_EQ(turns_verdict("interval"), "");
  EXPECT_TRUE(turns_verdict("cap").starts_with("the turns ended at their cap; the ratio to one is"))
      << turns_verdict("cap");
  EXPECT_TRUE(
      turns_verdict("ended").starts_with("the turns ended when one of the trainers did; the"))
      << turns_verdict("ended");
}

}  // namespace
}  // namespace trainmark
