#include "report/comparison/gate.h"

#include <gtest/gtest.h>

#include "report/comparison/match.h"
#include "report/sample_journal.h"

namespace trainmark {
namespace {

using Lines = std::vector<std::string>;

TEST(MatchedCells, AreComparedAndTheOthersNamed) {
  SampleJournal before, after;
  for (int round = 0; round < 3; ++round) {
    before.good(SampleJournal::cell("resnet50", "a"), 100)
        .good(SampleJournal::cell("bert", "a"), 50);
    after.good(SampleJournal::cell("resnet50", "a"), 80).good(SampleJournal::cell("gpt2", "a"), 10);
  }
  const auto base = results_of(before.contents);
  const auto next = results_of(after.contents);
  const ComparisonInput input = match_cells({"before", base}, {"after", next}, 0.01);
  ASSERT_EQ(input.cells.size(), 1U);
  EXPECT_EQ(input.cells[0].base.cell.workload, "resnet50");
  EXPECT_NEAR(input.cells[0].comparison.ratio, 0.8, 0.01);
  EXPECT_EQ(input.cells[0].comparison.answer, Answer::slower);
  ASSERT_EQ(input.only_base.size(), 1U);
  EXPECT_EQ(input.only_base[0].cell.workload, "bert");
  ASSERT_EQ(input.only_next.size(), 1U);
  EXPECT_EQ(input.only_next[0].cell.workload, "gpt2");
  EXPECT_EQ(input.base_name, "before");
  EXPECT_EQ(input.next_name, "after");
}

TEST(MatchedCells, AreTheSameInsideTheLimit) {
  SampleJournal before, after;
  for (int round = 0; round < 3; ++round) {
    before.good(SampleJournal::cell("resnet50", "a"), 100);
    after.good(SampleJournal::cell("resnet50", "a"), 97);
  }
  const auto base = results_of(before.contents);
  const auto next = results_of(after.contents);
  EXPECT_EQ(match_cells({"", base}, {"", next}, 0.01).cells[0].comparison.answer, Answer::slower);
  EXPECT_EQ(match_cells({"", base}, {"", next}, 0.1).cells[0].comparison.answer, Answer::same);
}

class GateTest : public testing::Test {
 protected:
  GateTest() {
    journal_.good(SampleJournal::cell("resnet50", "a"), 100)
        .good(SampleJournal::cell("bert", "a"), 50)
        .failed(SampleJournal::cell("gpt2", "a"), "timeout", "60 s");
    results_ = results_of(journal_.contents);
    input_.cells = {{results_[0], results_[0], {0.975, {0.97, 0.98}, Answer::slower, 0, ""}},
                    {results_[1], results_[1], {0.9, {0.7, 1.1}, Answer::unclear, 4, "noisy"}}};
    slow_ = results_[0].cell.key();
    unclear_ = results_[1].cell.key();
  }

  Lines tripped(const Gate& gate) const {
    Lines lines;
    for (const GateReason& reason : gate_reasons(gate, input_))
      lines.push_back(reason.key + ": " + gate_text(reason, Language::en));
    return lines;
  }

  SampleJournal journal_;
  std::vector<Result> results_;
  ComparisonInput input_;
  std::string slow_, unclear_;
};

TEST_F(GateTest, IsOpenWhereNothingIsAsked) {
  EXPECT_EQ(tripped({}), Lines{});
}

TEST_F(GateTest, TripsFromTheGivenPercentOn) {
  EXPECT_EQ(tripped({.slower = 2}), Lines{slow_ + ": slower by 2.50 %"});
  EXPECT_EQ(tripped({.slower = 3}), Lines{});
}

TEST_F(GateTest, TripsOnWhatIsUnclearOnlyWhenAsked) {
  EXPECT_EQ(tripped({.unclear = true}), Lines{unclear_ + ": unclear"});
}

TEST_F(GateTest, TripsOnACellThatNoLongerTrains) {
  input_.cells = {{results_[0], results_[2], {}}};
  EXPECT_EQ(tripped({.slower = 50}), Lines{slow_ + ": no run succeeds any more"});
  input_.cells = {{results_[2], results_[0], {}}};
  EXPECT_EQ(tripped({.slower = 50}), Lines{});
}

TEST_F(GateTest, TripsOnACellThatVanishedUnlessAllowed) {
  input_.cells.clear();
  input_.only_base = {results_[0], results_[2]};  // the second never trained
  EXPECT_EQ(tripped({.slower = 50}),
            Lines{slow_ + ": measured in BASE, missing from NEW (--allow-missing accepts this)"});
  EXPECT_EQ(tripped({.slower = 50, .allow_missing = true}), Lines{});
  EXPECT_EQ(tripped({}), Lines{});
}

TEST_F(GateTest, TripsOnACellThatTrainsSomethingElse) {
  input_.cells.clear();
  Proof same;
  same.cell = results_[0].cell;
  Proof other = same;
  other.differs = {"the gradients"};
  EXPECT_EQ(lost_proofs({same}, {other}), std::vector<Cell>{same.cell});
  EXPECT_EQ(lost_proofs({same}, {other, same}), std::vector<Cell>{});  // fixed since
  EXPECT_EQ(lost_proofs({other}, {other}), std::vector<Cell>{});
  EXPECT_EQ(lost_proofs({}, {other}), std::vector<Cell>{});
  EXPECT_EQ(lost_proofs({same}, {}), std::vector<Cell>{});
  input_.lost_proofs = {same.cell};
  EXPECT_EQ(tripped({.slower = 50}),
            Lines{slow_ + ": verified to train the same in BASE, but not in NEW"});
  EXPECT_EQ(tripped({}), Lines{});
}

}  // namespace
}  // namespace trainmark
