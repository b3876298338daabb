#include "report/content/input_costs.h"

#include <gtest/gtest.h>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

/// One cell in three ways: 100 images/s without input, 250 by the pipeline's four workers, and
/// `both` together.
class InputCosts : public testing::Test {
 protected:
  void measure(double both) {
    const auto add = [&](const std::string& data, const std::string& input, double throughput) {
      Cell cell = SampleJournal::cell("resnet50", "libtorch:eager");
      cell.data = data;
      cell.input = input;
      for (int round = 1; round <= 3; ++round) {
        RunRecord run = SampleJournal::run(cell, throughput * (1 + 0.001 * (round - 2)), round);
        run.id += data + input;
        if (!data.empty()) run.trainer["data"] = {{"workers", 4}};
        if (!data.empty() && input.empty()) run.ranks.input = 0.07;
        contents_.runs.push_back(run);
      }
    };
    add("", "", 100);
    add("flowers", "pipeline", 250);
    add("flowers", "", both);
    results_ = results_of(contents_);
  }

  const Result& both() const { return results_.at(2); }

  JournalContents contents_;
  std::vector<Result> results_;
};

TEST_F(InputCosts, AreTheShareOfTheSpeedThatIsLost) {
  measure(92);
  ASSERT_TRUE(both().input_cost);
  EXPECT_NEAR(both().input_cost->share, 0.08, 1e-3);
  EXPECT_LT(both().input_cost->interval.low, 0.08);
  EXPECT_GT(both().input_cost->interval.low, 0.07);
  EXPECT_GT(both().input_cost->interval.high, 0.08);
  EXPECT_LT(both().input_cost->interval.high, 0.09);
  EXPECT_FALSE(both().input_cost->by_turns);
  EXPECT_NEAR(both().input_wait.value(), 0.07, 1e-12);
  EXPECT_FALSE(results_.at(0).input_cost) << "a step has no input";
  EXPECT_FALSE(results_.at(1).input_cost) << "a pipeline has no step";
}

TEST_F(InputCosts, TellTheCoresThatWouldFeedTheStep) {
  measure(92);
  EXPECT_NEAR(both().input_cost->pipeline.value(), 250, 0.1);
  EXPECT_NEAR(both().input_cost->cores.value(), 4 * 100.0 / 250, 1e-2);
}

TEST_F(InputCosts, ComeFromTurnsWhereTheyWereTaken) {
  measure(92);
  // Seconds per item: both take a quarter more.
  TurnsRecord turns;
  turns.runs = {contents_.runs[0].id, contents_.runs[6].id};
  for (int block = 0; block < 8; ++block)
    turns.blocks.push_back({0.1 + 1e-4 * (block % 3), 0.125 + 1e-4 * (block % 2)});
  contents_.turns = {turns};
  results_ = results_of(contents_);
  ASSERT_TRUE(both().input_cost);
  EXPECT_TRUE(both().input_cost->by_turns);
  EXPECT_NEAR(both().input_cost->share, 0.2, 0.01);
  EXPECT_FALSE(both().versus) << "not a ratio of frameworks";
}

TEST_F(InputCosts, OfOneBlockOfTurnsHaveNoInterval) {
  measure(92);
  TurnsRecord turns;
  turns.runs = {contents_.runs[0].id, contents_.runs[6].id};
  turns.blocks = {{0.1, 0.125}};
  contents_.turns = {turns};
  results_ = results_of(contents_);
  EXPECT_EQ(input_cost_text(both()), "20.0 % (?)");
}

TEST_F(InputCosts, StandInATableOfTheirOwn) {
  measure(92);
  const ReportOptions options;
  const ReportInput input{contents_, results_, Language::en, options};
  const Table table = input_costs(input);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][2].text, "flowers");
  EXPECT_EQ(table.rows[0][6].text, "100.0 images/s");
  EXPECT_EQ(table.rows[0][9].text.substr(0, 5), "8.0 %");
  EXPECT_EQ(table.rows[0][10].text, "7.0 %");
  EXPECT_EQ(table.rows[0][11].text, "1.600");
}

}  // namespace
}  // namespace trainmark
