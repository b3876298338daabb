#include "report/content/contests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/verdict_names.h"
#include "report/sample_journal.h"

namespace trainmark {
namespace {

using Place = Standing::Place;

class Contests : public testing::Test {
 protected:
  std::vector<Contest> all() {
    results_ = results_of(journal_.contents);
    return contests_of({journal_.contents, results_, Language::en, {}});
  }
  std::string sentence(Language language = Language::en) { return headline(all(), language); }

  static Cell cell(const std::string& workload, const std::string& framework) {
    return SampleJournal::cell(workload, framework);
  }

  SampleJournal journal_;

 private:
  std::vector<Result> results_;
};

TEST_F(Contests, ArePlacedByTheTestOfCompare) {
  journal_.good(cell("bert", "slow"), 100).good(cell("bert", "fast"), 200);
  journal_.good(cell("bert", "near"), 200.2);
  const std::vector<Contest> contests = all();
  ASSERT_EQ(contests.size(), 1u);
  const std::vector<Standing>& standings = contests[0].standings;
  EXPECT_EQ(standings[0].result->cell.framework, "near");
  EXPECT_EQ(standings[0].place, Place::best);
  EXPECT_EQ(standings[1].place, Place::same);
  EXPECT_EQ(standings[2].place, Place::slower);
  EXPECT_NEAR(standings[2].versus.ratio, 0.5, 0.001);
  EXPECT_EQ(sentence(), "On bert, near ties with fast.");
}

TEST_F(Contests, OneRunEachDecidesNothing) {
  journal_.contents.runs = {SampleJournal::run(cell("bert", "a"), 100),
                            SampleJournal::run(cell("bert", "b"), 150)};
  EXPECT_EQ(all()[0].standings[1].place, Place::unclear);
  EXPECT_EQ(sentence(), "On bert, b and a cannot be told apart.");
  EXPECT_EQ(sentence(Language::zh), "bert 上尚分不出快慢：b、a。");
  for (const auto& [name, value] : {std::pair("c", 140), std::pair("d", 130), std::pair("e", 120)})
    journal_.contents.runs.push_back(SampleJournal::run(cell("bert", name), value));
  EXPECT_EQ(sentence(), "On bert, b, c, d and 2 more cannot be told apart.");
}

TEST_F(Contests, AFigureThatIsHardToBelieveNeitherWinsNorTies) {
  journal_.good(cell("bert", "broken"), 900).good(cell("bert", "a"), 200);
  journal_.good(cell("bert", "b"), 100);
  for (RunRecord& run : journal_.contents.runs)
    if (run.cell.framework == "broken") run.verdicts = {{verdicts::loss_nan, "from step 3"}};
  const Contest contest = all()[0];
  EXPECT_EQ(contest.standings[0].place, Place::doubtful);
  EXPECT_EQ(contest.best()->result->cell.framework, "a");
  EXPECT_EQ(sentence(), "a is fastest on bert: 2.00 × b.");
}

TEST_F(Contests, WhoTrainedAnotherShapeDoesNotWin) {
  journal_.good(cell("bert", "short"), 900).good(cell("bert", "a"), 200);
  for (RunRecord& run : journal_.contents.runs)
    if (run.cell.framework == "short") run.verdicts = {{verdicts::shape_mismatch, "sequence 64"}};
  EXPECT_EQ(all()[0].best()->result->cell.framework, "a");
}

TEST_F(Contests, TurnsDecideWhereThereAreAny) {
  for (const auto& [framework, values] :
       {std::pair("a", std::array{60.0, 100.0, 150.0}), {"b", std::array{61.0, 101.0, 149.0}}})
    for (int round = 1; round <= 3; ++round)
      journal_.contents.runs.push_back(SampleJournal::run(
          cell("bert", framework), values.at(static_cast<std::size_t>(round - 1)), round));
  EXPECT_EQ(all()[0].ties().size(), 1u) << "the rounds differ too much";
  for (int round = 1; round <= 3; ++round) {
    TurnsRecord turns;
    turns.runs = {fmt::format("bert-a-r{}", round), fmt::format("bert-b-r{}", round)};
    for (int block = 0; block < 12; ++block) {
      const double drift = 0.01 * (1 + 0.03 * block);
      turns.blocks.push_back({drift, drift * (1.25 + 0.001 * (block % 3))});
    }
    journal_.contents.turns.push_back(turns);
  }
  const Contest contest = all()[0];
  EXPECT_EQ(contest.best()->result->cell.framework, "a");
  EXPECT_TRUE(contest.ties().empty());
  EXPECT_EQ(sentence(), "a is fastest on bert: 1.25 × b.");
}

TEST_F(Contests, ASentenceCountsVictoriesAndNamesTies) {
  for (const char* workload : {"w1", "w2", "w3"})
    journal_.good(cell(workload, "a"), 200).good(cell(workload, "b"), 100);
  journal_.good(cell("w4", "a"), 100).good(cell("w4", "b"), 200);
  journal_.good(cell("w5", "a"), 200.1).good(cell("w5", "b"), 200);
  journal_.good(cell("alone", "a"), 7);
  EXPECT_EQ(sentence(), "a is fastest on 3 of 5, b on 1; on w5, a ties with b.");
  EXPECT_EQ(sentence(Language::zh), "5 项中 a 在 3 项上最快，b 在 1 项上最快；w5 上 a 与 b 持平。");
}

TEST_F(Contests, PrecisionsAndScalesAreContestsOfTheirOwn) {
  for (const char* precision : {"fp32", "amp-fp16"})
    for (const char* framework : {"a", "b"})
      journal_.good(SampleJournal::cell("bert", framework, 16, "1n1g", precision), 100);
  journal_.good(SampleJournal::cell("bert", "a", 16, "1n8g"), 700);
  const std::vector<Contest> contests = all();
  EXPECT_EQ(contests.size(), 3u);
  EXPECT_EQ(
      std::count_if(contests.begin(), contests.end(), [](const Contest& c) { return c.usual; }), 2);
}

TEST_F(Contests, NobodyToCompareIsNoSentence) {
  journal_.good(cell("bert", "a"), 100);
  EXPECT_EQ(sentence(), "");
}

}  // namespace
}  // namespace trainmark
