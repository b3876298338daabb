// Comparisons of trainings to quality: the answer is that of the time, and each factor has its own.

#include <gtest/gtest.h>

#include "report/comparison/gate.h"
#include "report/comparison/match.h"
#include "report/quality_journal.h"

namespace trainmark {
namespace {

const std::vector<double> few = {10000, 10200, 9800, 10100, 9900};
const std::vector<double> many = {20000, 20400, 19600, 20200, 19800};

class ComparedQuality : public testing::Test {
 protected:
  ComparisonInput compared() {
    base_results_ = results_of(base_.contents);
    next_results_ = results_of(next_.contents);
    return match_cells({"before", base_results_}, {"after", next_results_}, 0.01);
  }

  static std::string text(const ComparisonInput& input, const std::string& format) {
    std::ostringstream out;
    Registry<ComparisonFormat>::find(format)->write(input, out);
    return out.str();
  }

  const Cell cell_ = QualityJournal::cell("libtorch:eager");
  QualityJournal base_, next_;
  std::vector<Result> base_results_, next_results_;
};

TEST_F(ComparedQuality, IsThatOfTheTime) {
  base_.trained(cell_, few);
  next_.trained(cell_, many);
  const ComparisonInput input = compared();
  const ComparedCell& cell = input.cells.at(0);
  EXPECT_EQ(cell.comparison.answer, Answer::slower);
  EXPECT_NEAR(cell.comparison.ratio, 0.5, 1e-6);
  EXPECT_LT(cell.comparison.interval.low, 0.5);
  EXPECT_GT(cell.comparison.interval.high, 0.5);
  EXPECT_EQ(cell.quality->samples.answer, Answer::slower);
  EXPECT_EQ(cell.quality->seconds_per_sample.answer, Answer::same);
  const auto reasons = gate_reasons({.slower = 5}, input);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(gate_text(reasons[0], Language::en), "slower by 50.00 %");
}

TEST_F(ComparedQuality, NamesTheFactorThatDiffersInAllFormats) {
  base_.trained(cell_, few);
  next_.trained(cell_, few, 50);
  const ComparisonInput input = compared();
  EXPECT_EQ(input.cells.at(0).quality->samples.answer, Answer::same);
  EXPECT_EQ(input.cells.at(0).quality->seconds_per_sample.answer, Answer::slower);
  for (const char* format : {"table", "md", "html"}) {
    const std::string shown = text(input, format);
    EXPECT_NE(shown.find("same: 1 (0."), std::string::npos) << format << shown.substr(0, 2000);
    EXPECT_NE(shown.find("slower: 2 ("), std::string::npos) << format;
    EXPECT_NE(shown.find("5 of 5 → 5 of 5"), std::string::npos) << format;
  }
  const auto json = nlohmann::json::parse(text(input, "json"));
  EXPECT_EQ(json.at("comparisons").at(0).at("quality").at("seconds_per_sample").at("answer"),
            "slower");
}

TEST_F(ComparedQuality, SaysWhereTheTargetIsNoLongerReached) {
  base_.trained(cell_, few);
  for (int round = 1; round <= 5; ++round) next_.missed(cell_, 60000, round);
  const ComparisonInput input = compared();
  EXPECT_EQ(input.cells.at(0).comparison.answer, Answer::slower);
  const auto reasons = gate_reasons({.slower = 5}, input);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(gate_text(reasons[0], Language::en), "no longer reaches its target quality");
  for (const char* format : {"table", "md", "json", "html"}) EXPECT_NE(text(input, format), "");
}

TEST_F(ComparedQuality, NeedsTheSameTarget) {
  base_.trained(cell_, few);
  next_.trained(cell_, few);
  for (RunRecord& run : next_.contents.runs) run.quality->target = 0.8;
  const ComparisonInput input = compared();
  EXPECT_EQ(input.cells.at(0).comparison.answer, Answer::unclear);
  EXPECT_EQ(input.cells.at(0).comparison.why,
            "they were trained to different targets: top-1 accuracy 0.9 and top-1 accuracy 0.8");
}

TEST_F(ComparedQuality, OfATrainingForSpeedIsThatOfItsThroughput) {
  base_.trained(cell_, few);
  next_.good(cell_, 100);
  const ComparisonInput input = compared();
  EXPECT_FALSE(input.cells.at(0).quality);
}

}  // namespace
}  // namespace trainmark
