// Trainings to quality, played by the clock: what is found is held against what is known.

#include <gtest/gtest.h>

#include <csignal>

#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

class Quality : public testing::Test {
 protected:
  Quality() { fs::create_directory(folder_ / "flowers"); }

  /// A suite of the clock with these arguments.
  fs::path suite(const std::string& name, const std::string& arguments, int rounds = 1,
                 const std::string& rule = "target: 0.9") {
    const fs::path file = folder_ / (name + ".yaml");
    write_text(file, fmt::format("matrix: {{workload: clock, framework: clock, size: tiny, batch: "
                                 "8, data: flowers}}\nmeasure: {{rule: quality, {}}}\nrounds: {}\n"
                                 "frameworks: {{clock: {{arguments: [--sleep, {}]}}}}\n",
                                 rule, rounds, arguments));
    return file;
  }

  fs::path results(const std::string& name) const { return folder_ / ("results-" + name); }

  Outcome run(const std::string& name, const std::string& arguments, int rounds = 1,
              const std::string& rule = "target: 0.9") {
    return trainmark(
        {"run", suite(name, arguments, rounds, rule).string(), "--out", results(name).string()});
  }

  JournalContents journal(const std::string& name) const { return read_journal(results(name)); }

  const TemporaryFolder folder_;
};

TEST_F(Quality, IsReachedWhereTheTruthSays) {
  const Outcome outcome = run("truth", "--steps-per-epoch, 20, --evaluation-ms, 20", 2);
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const JournalContents contents = journal("truth");
  ASSERT_EQ(contents.runs.size(), 2U);
  for (const RunRecord& run : contents.runs) {
    ASSERT_TRUE(run.quality);
    EXPECT_TRUE(run.quality->reached);
    EXPECT_EQ(run.quality->why, "target");
    EXPECT_EQ(run.quality->samples, 3 * 20 * 8);
    EXPECT_GE(run.quality->curve.size(), 12U) << "it may go on until it is stopped";
    EXPECT_GE(run.quality->evaluation_seconds, 12 * 0.02);
    // 60 steps of 1 ms and 11 checkpoints, which may be held up, but without 0.22 s of evaluations.
    EXPECT_GE(run.quality->seconds, 0.06);
  }
  EXPECT_NE(contents.runs[0].seed, contents.runs[1].seed);
  EXPECT_NE(outcome.output.find("Time to quality"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("2 of 2"), std::string::npos);
  EXPECT_FALSE(fs::exists(results("truth") / "checkpoints"));
}

TEST_F(Quality, ThatIsMissedIsAResult) {
  const Outcome outcome =
      run("missed", "--steps-per-epoch, 20, --final-quality, 0.8", 2, "epochs: 1");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  for (const RunRecord& run : journal("missed").runs) {
    EXPECT_TRUE(run.ok);
    EXPECT_FALSE(run.quality->reached);
    EXPECT_EQ(run.quality->why, "cap");
    EXPECT_EQ(run.quality->epochs, 1);
  }
  EXPECT_NE(outcome.output.find("target-missed"), std::string::npos);
  EXPECT_NE(outcome.output.find("0 of 2"), std::string::npos);
}

TEST_F(Quality, IsGivenUpWhenTheLossIsLost) {
  EXPECT_EQ(run("lost", "--steps-per-epoch, 500, --nan-after, 30").code, 0);
  const JournalContents contents = journal("lost");
  const RunRecord& run = contents.runs.at(0);
  EXPECT_TRUE(run.ok) << run.reason;
  EXPECT_EQ(run.quality->why, "nan-loss");
  EXPECT_LT(run.summary.steps, 500U);
}

TEST_F(Quality, GoesOnAfterAKill) {
  const fs::path file = suite("killed", "--steps-per-epoch, 60, --step-ms, 4");
  const fs::path folder = results("killed");
  const pid_t bench =
      start_trainmark({"run", file.string(), "--out", folder.string()}, folder_.path());
  ASSERT_TRUE(comes_true([&] {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "checkpoints", error))
      if (entry.path().filename() == "checkpoint.json") return true;
    return false;
  }));
  kill(bench, SIGKILL);
  wait_for(bench);
  ASSERT_TRUE(journal("killed").runs.empty());
  const Outcome again = trainmark({"run", file.string(), "--out", folder.string(), "--resume"});
  ASSERT_EQ(again.code, 0) << again.errors;
  const JournalContents contents = journal("killed");
  ASSERT_EQ(contents.runs.size(), 1U);
  const QualityOutcome& quality = *contents.runs[0].quality;
  EXPECT_TRUE(quality.reached);
  EXPECT_EQ(quality.samples, 3 * 60 * 8);
  EXPECT_GE(quality.resumed_at.value_or(0), 15 * 8);
  ASSERT_GE(quality.curve.size(), 12U) << "whole, and nothing twice";
  for (std::size_t i = 0; i < quality.curve.size(); ++i)
    EXPECT_EQ(quality.curve[i].step, static_cast<std::int64_t>(15 * (i + 1)));
  for (std::size_t i = 1; i < quality.curve.size(); ++i)
    EXPECT_GT(quality.curve[i].at, quality.curve[i - 1].at);
  EXPECT_GE(quality.seconds, 180 * 0.004);
  EXPECT_FALSE(fs::exists(folder / "checkpoints"));
}

TEST_F(Quality, OfAFailedRunGoesOnWhenItIsRetried) {
  const std::string crash = "--steps-per-epoch, 20, --crash-after, 25";
  const fs::path file = suite("crashed", crash);
  EXPECT_EQ(trainmark({"run", file.string(), "--out", results("crashed").string()}).code, 1);
  EXPECT_TRUE(fs::exists(results("crashed") / "checkpoints"));
  // Step 25 of what is left lies behind the target.
  trainmark(
      {"run", file.string(), "--out", results("crashed").string(), "--resume", "--retry-failed"});
  const RunRecord run = journal("crashed").runs.back();
  EXPECT_EQ(run.quality.value().resumed_at, 25 / 5 * 5 * 8);
}

TEST_F(Quality, IsComparedByFactor) {
  ASSERT_EQ(run("base", "--steps-per-epoch, 10", 5).code, 0);
  ASSERT_EQ(run("hungry", "--steps-per-epoch, 10, --learn-epochs, 2, --checkpoint-ms, 0", 5,
                "target: 0.9, epochs: 8")
                .code,
            0);
  const Outcome compared =
      trainmark({"compare", results("base").string(), results("hungry").string(), "--format",
                 "json", "--fail-on-slower", "5"});
  EXPECT_EQ(compared.code, 1) << compared.errors;
  const auto json = nlohmann::json::parse(compared.output);
  const auto& quality = json.at("comparisons").at(0).at("quality");
  EXPECT_EQ(quality.at("samples").at("answer"), "slower");
  EXPECT_NEAR(quality.at("samples").at("ratio").get<double>(), 58.0 / 30, 1e-6);
  EXPECT_NE(compared.errors.find("gate: "), std::string::npos);
}

TEST_F(Quality, IsLoggedAsMlperfDoes) {
  ASSERT_EQ(run("log", "--steps-per-epoch, 20").code, 0);
  const fs::path log = folder_ / "result_0.txt";
  ASSERT_EQ(
      trainmark({"report", results("log").string(), "--format", "mllog", "--out", log.string()})
          .code,
      0);
  const Outcome read = trainmark({"extract", log.string(), "--format", "json"});
  ASSERT_EQ(read.code, 0) << read.errors;
  const auto json = nlohmann::json::parse(read.output).at("logs").at(0);
  EXPECT_EQ(json.at("dialect"), "mlperf");
  EXPECT_EQ(json.at("quality").at("target"), 0.9);
  EXPECT_GT(json.at("quality").at("time_to_train"), 0);
}

TEST_F(Quality, IsRefusedWithoutAnyCellThatCanBeTrained) {
  const fs::path file = folder_ / "none.yaml";
  write_text(file, "matrix: {workload: clock, framework: clock}\nmeasure: {rule: quality}\n");
  const Outcome outcome = trainmark({"run", file.string(), "--dry-run"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("needs a data set"), std::string::npos) << outcome.errors;
}

TEST_F(Quality, RefusesAValueThatCannotBe) {
  const Outcome outcome = trainmark(
      {"run", suite("bad", "--steps-per-epoch, 20", 1, "target: -1").string(), "--dry-run"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("bad.yaml:2"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("target = -1 is out of range"), std::string::npos);
}

}  // namespace
}  // namespace trainmark::e2e
