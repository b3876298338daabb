#include "report/content/quality.h"

#include <gtest/gtest.h>

#include "report/quality_journal.h"

namespace trainmark {
namespace {

const std::vector<double> usual = {10000, 10400, 9700, 10100, 9900};

std::string row_text(const Table& table, std::size_t row) {
  std::string text;
  for (const TableCell& cell : table.rows.at(row)) text += cell.text + " | ";
  return text;
}

TEST(QualityTexts, SayAsMuchAsIsKnown) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(seconds_text({61.25, {55, 68}}), "61.25 s (55.00 … 68.00)");
  EXPECT_EQ(seconds_text({61.25, {55, infinite}}), "61.25 s (> 55.00)");
  EXPECT_EQ(seconds_text({61.25, {0, infinite}}), "61.25 s");
  EXPECT_EQ(seconds_text({infinite, {55, infinite}}), "> 55.00 s");
  EXPECT_EQ(samples_text({60000, {50000, 70000}}), "60000 (50000 … 70000)");
  EXPECT_EQ(seconds_per_sample_text({0.0025, {0.002, 0.003}}), "2.500 ms (2.000 … 3.000)");
  EXPECT_EQ(seconds_per_sample_text({2.5e-6, {2e-6, 3e-6}}), "2.500 µs (2.000 … 3.000)");
}

TEST(QualityTables, HaveTimeSamplesAndTimePerSample) {
  QualityJournal journal;
  const Cell cell = QualityJournal::cell("libtorch:eager");
  journal.trained(cell, {10000, 10000}).missed(cell, 30000, 3);
  const std::vector<Result> results = results_of(journal.contents);
  const Table table = quality_table({journal.contents, results, Language::en, {}});
  ASSERT_EQ(table.rows.size(), 1U);
  const std::string row = row_text(table, 0);
  for (const char* part : {"fashion-mnist", "top-1 accuracy", "0.9", "2 of 3", "10.00 ms"})
    EXPECT_NE(row.find(part), std::string::npos) << part << " in " << row;
  ASSERT_EQ(table.rows[0].size(), table.columns.size());
}

std::string column_text(const Table& table, const std::string& title) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].title == title) return table.rows.at(0).at(i).text;
  return "no such column";
}

TEST(QualityTables, HaveTheMeanTimesOfEvaluationsAndCheckpoints) {
  QualityJournal journal;
  journal.trained(QualityJournal::cell("libtorch:eager"), {10000, 10000});
  journal.contents.runs[0].quality->checkpoint_seconds = 0.5;
  journal.contents.runs[1].quality->checkpoint_seconds = 0.75;
  journal.contents.runs[1].quality->evaluation_seconds = 4;  // of the first: 8
  const auto table = [&](Language language) {
    const std::vector<Result> results = results_of(journal.contents);
    return quality_table({journal.contents, results, language, {}});
  };
  EXPECT_EQ(column_text(table(Language::en), "evaluations"), "6.000 s");
  EXPECT_EQ(column_text(table(Language::en), "checkpoints"), "0.6250 s");
  EXPECT_EQ(column_text(table(Language::zh), "检查点用时"), "0.6250 s");
  EXPECT_EQ(column_text(table(Language::en), "resumed"), "no such column");
  journal.contents.runs[0].quality->resumed_at = 2500;
  EXPECT_EQ(column_text(table(Language::en), "resumed"), "1 of 2");
  for (const char* format : {"json", "csv"})
    EXPECT_NE(journal.report(format).find("0.625"), std::string::npos) << format;
  const auto json = nlohmann::json::parse(journal.report("json")).at("results").at(0).at("quality");
  EXPECT_EQ(json.at("evaluation_seconds"), 6);
  EXPECT_EQ(json.at("resumed"), 1);
  EXPECT_NE(journal.report("csv").find(",6,0.625,1\n"), std::string::npos);
  EXPECT_NE(journal.report("html").find(R"("checkpoints":"0.6250 s")"), std::string::npos);
}

TEST(QualityTables, AreEmptyOfTrainingsForSpeed) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 100);
  const std::vector<Result> results = results_of(journal.contents);
  const ReportInput input{journal.contents, results, Language::en, {}};
  EXPECT_TRUE(quality_table(input).rows.empty());
  EXPECT_TRUE(equivalence_table(input).rows.empty());
}

class Equivalences : public testing::Test {
 protected:
  std::vector<Equivalence> found() {
    results_ = results_of(journal_.contents);
    return equivalences(results_);
  }

  QualityJournal journal_;
  std::vector<Result> results_;
};

TEST_F(Equivalences, CompareFrameworksWithTheReference) {
  journal_.trained(QualityJournal::cell("pytorch:eager"), usual)
      .trained(QualityJournal::cell("libtorch:eager"), usual)
      .trained(QualityJournal::cell("paddle:dygraph"), {21000, 20000, 20500, 19800, 20200});
  const auto pairs = found();
  ASSERT_EQ(pairs.size(), 2U);
  for (const Equivalence& pair : pairs) EXPECT_EQ(pair.base->cell.framework, "libtorch:eager");
  EXPECT_EQ(pairs[0].other->cell.framework, "pytorch:eager");
  EXPECT_EQ(pairs[0].samples.answer, Answer::same);
  EXPECT_EQ(pairs[1].samples.answer, Answer::slower);
  EXPECT_EQ(samples_answer(pairs[1].samples.answer, Language::en), "more");
  EXPECT_EQ(samples_answer(Answer::faster, Language::zh), "更少");
}

TEST_F(Equivalences, ComparePrecisionsWithFp32OfTheSameFramework) {
  journal_.trained(QualityJournal::cell("pytorch:eager"), usual)
      .trained(QualityJournal::cell("pytorch:eager", "amp-bf16"), usual);
  const auto pairs = found();
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].base->cell.precision, "fp32");
  EXPECT_EQ(pairs[0].other->cell.precision, "amp-bf16");
}

TEST_F(Equivalences, AreRefusedWhereATrainingNeverReachesTheTarget) {
  journal_.trained(QualityJournal::cell("libtorch:eager"), usual);
  const Cell broken = QualityJournal::cell("libtorch:eager", "fp16");
  for (int round = 1; round <= 5; ++round) journal_.missed(broken, 360000, round);
  const auto pairs = found();
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].samples.answer, Answer::slower);
  EXPECT_EQ(ratio_interval_text(pairs[0].samples), "-");
}

TEST_F(Equivalences, NeedTheSameTarget) {
  journal_.trained(QualityJournal::cell("libtorch:eager"), usual)
      .trained(QualityJournal::cell("pytorch:eager"), usual);
  for (RunRecord& run : journal_.contents.runs)
    if (run.cell.framework == "pytorch:eager") run.quality->target = 0.8;
  EXPECT_TRUE(found().empty());
}

TEST_F(Equivalences, AreBesideASentenceThatNamesTheFirst) {
  journal_.trained(QualityJournal::cell("libtorch:eager"), usual)
      .trained(QualityJournal::cell("pytorch:eager"), usual, 50);
  results_ = results_of(journal_.contents);
  const auto sentences = quality_sentences({journal_.contents, results_, Language::en, {}});
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_TRUE(sentences[0].starts_with("libtorch:eager fp32 reaches top-1 accuracy 0.9"))
      << sentences[0];
  journal_.trained(QualityJournal::cell("paddle:dygraph"), usual);
  results_ = results_of(journal_.contents);
  EXPECT_NE(quality_sentences({journal_.contents, results_, Language::en, {}})
                .at(0)
                .find("cannot be told apart"),
            std::string::npos);
}

TEST_F(Equivalences, SayWhereNobodyReachesTheTarget) {
  journal_.missed(QualityJournal::cell("libtorch:eager"), 1000, 1);
  results_ = results_of(journal_.contents);
  EXPECT_TRUE(quality_sentences({journal_.contents, results_, Language::en, {}})
                  .at(0)
                  .starts_with("Fewer than two trainings"));
}

class QualityReports : public testing::TestWithParam<const char*> {};

TEST_P(QualityReports, ShowTimeToQualityInBothLanguages) {
  QualityJournal journal;
  journal.trained(QualityJournal::cell("libtorch:eager"), usual)
      .trained(QualityJournal::cell("pytorch:eager"), usual);
  const std::string english = journal.report(GetParam());
  const std::string chinese = journal.report(GetParam(), Language::zh);
  EXPECT_NE(english.find("Time to quality"), std::string::npos);
  EXPECT_NE(english.find("Do they need the same number of samples?"), std::string::npos);
  EXPECT_NE(english.find("5 of 5"), std::string::npos);
  EXPECT_NE(chinese.find("达到目标质量的时间"), std::string::npos);
  EXPECT_EQ(english.find("What the input costs"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Formats, QualityReports, testing::Values("table", "md"));

TEST(QualityReport, AsCsvHasItsColumns) {
  QualityJournal journal;
  journal.trained(QualityJournal::cell("libtorch:eager"), usual);
  const std::string csv = journal.report("csv");
  const std::string head = csv.substr(0, csv.find('\n'));
  EXPECT_TRUE(head.ends_with(
      "seconds_per_sample_high,evaluation_seconds,checkpoint_seconds,resumed_trainings"));
  EXPECT_NE(csv.find(",top-1 accuracy,0.9,5,5,"), std::string::npos) << csv;
}

TEST(QualityReport, AsJsonHasFactorsAndEquivalence) {
  QualityJournal journal;
  journal.trained(QualityJournal::cell("libtorch:eager"), usual)
      .trained(QualityJournal::cell("pytorch:eager"), usual);
  journal.missed(QualityJournal::cell("paddle:dygraph"), 1000, 1);
  const auto json = nlohmann::json::parse(journal.report("json"));
  const auto& quality = json.at("results").at(0).at("quality");
  EXPECT_EQ(quality.at("target"), 0.9);
  EXPECT_EQ(quality.at("reached"), 5);
  EXPECT_GT(quality.at("samples").at("high"), quality.at("samples").at("value"));
  EXPECT_TRUE(json.at("results").at(2).at("quality").at("seconds").at("value").is_null());
  EXPECT_EQ(json.at("equivalence").at(0).at("answer"), "same");
}

TEST(QualityReport, AsAPageHasTheCurvesOfAllSeeds) {
  QualityJournal journal;
  journal.trained(QualityJournal::cell("libtorch:eager"), usual);
  const std::string page = journal.report("html");
  EXPECT_NE(page.find("\"equivalence\":[]"), std::string::npos);
  std::size_t curves = 0;
  for (std::size_t at = page.find("\"why\":\"target\""); at != std::string::npos;
       at = page.find("\"why\":\"target\"", at + 1))
    ++curves;
  EXPECT_EQ(curves, 5U);
}

TEST(QualityReport, DrawsCurvesBesideMarkdown) {
  QualityJournal journal;
  journal.trained(QualityJournal::cell("libtorch:eager"), usual);
  std::vector<std::string> names;
  ReportOptions options;
  options.add_plot = [&](const std::string& name, const std::string& svg) {
    names.push_back(name);
    EXPECT_NE(svg.find("<svg"), std::string::npos);
    return name + ".svg";
  };
  journal.report("md", Language::en, options);
  const auto has = [&](const char* head) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.starts_with(head); });
  };
  EXPECT_TRUE(has("quality-time-"));
  EXPECT_TRUE(has("quality-samples-"));
}

}  // namespace
}  // namespace trainmark
