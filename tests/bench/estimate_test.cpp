#include "bench/estimate.h"

#include <gtest/gtest.h>

#include "journal/journal.h"
#include "suite/suite.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

Measuring measuring_of(const std::string& measure) {
  return settle_measuring(
      parse_suite("matrix: {workload: a}\nrounds: 3\nmeasure: " + measure, "s.yaml"));
}

Cell cell_of(const std::string& workload, const std::string& framework) {
  return {workload, "small", framework, "fp32", 8, 1, "cpu", {}};
}

std::vector<PlannedCell> planned(std::size_t count) {
  std::vector<PlannedCell> cells(count);
  for (PlannedCell& one : cells) one.cell = cell_of("a", "f:eager");
  return cells;
}

nlohmann::json machine_called(const std::string& name) {
  return {{"cpu", {{"model", "made up"}}}, {"system", {{"instance", {{"hostname", name}}}}}};
}

/// A run of 100 steps of 0.1 s each, the first 20 of them warm-up.
RunRecord run_of(const Cell& cell, double set_up) {
  RunRecord run;
  run.id = "0001-a-r1";
  run.cell = cell;
  run.ok = true;
  run.environment = "here";
  run.seconds = set_up + 10;
  run.summary.steps = 100;
  run.summary.used = 80;
  run.summary.throughput.seconds = 8;
  run.summary.throughput.value = 10;
  return run;
}

SetUpHistory history_of(const std::vector<RunRecord>& runs, const std::string& machine = "this") {
  JournalContents contents;
  contents.environments["here"] = machine_called("this");
  contents.runs = runs;
  SetUpHistory history;
  history.add(contents, machine_called(machine));
  return history;
}

TEST(Estimate, GrowsWithCellsRoundsAndTheCap) {
  const Measuring measuring = measuring_of("{rule: adaptive, max_seconds: 8}");
  const double once = estimate(planned(1), measuring, {})->seconds;
  EXPECT_GE(once, 3 * 8);
  EXPECT_DOUBLE_EQ(estimate(planned(7), measuring, {})->seconds, 7 * once);
  const Measuring longer = measuring_of("{rule: adaptive, max_seconds: 20}");
  EXPECT_GT(estimate(planned(1), longer, {})->seconds, once);
}

TEST(Estimate, IsNotMadeForARuleThatCountsSteps) {
  EXPECT_FALSE(estimate(planned(1), measuring_of("{rule: fixed}"), {}).has_value());
}

TEST(Estimate, LeavesRoundsOutThatDoNotFit) {
  const Measuring measuring = measuring_of("{rule: turns, max_seconds: 8}");
  const auto cells = planned(10);
  const double all = estimate(cells, measuring, {})->seconds;
  EXPECT_EQ(rounds_within(all, cells, measuring, {}), 3);
  EXPECT_EQ(rounds_within(0.7 * all, cells, measuring, {}), 2);
  EXPECT_EQ(rounds_within(1, cells, measuring, {}), 1) << "one at least";
}

TEST(Estimate, TakesTheSetUpFromEarlierRuns) {
  const Measuring measuring = measuring_of("{rule: adaptive, max_seconds: 8}");
  const SetUpHistory history = history_of({run_of(cell_of("a", "f:eager"), 30)});
  const Estimate found = *estimate(planned(2), measuring, history);
  EXPECT_NEAR(found.seconds, 2 * 3 * (30 + 8), 1e-6);
  EXPECT_EQ(found.guessed, 0U);
  EXPECT_EQ(found.text().find("assuming"), std::string::npos) << found.text();
}

TEST(Estimate, SaysWhatIsAssumed) {
  const Measuring measuring = measuring_of("{rule: adaptive, max_seconds: 8}");
  std::vector<PlannedCell> cells = planned(2);
  cells[1].cell.framework = "new:eager";
  const SetUpHistory history = history_of({run_of(cell_of("a", "f:eager"), 30)});
  const std::string text = estimate(cells, measuring, history)->text();
  EXPECT_NE(text.find("assuming 5 s of set-up for 1 cell not run here before"), std::string::npos)
      << text;
}

TEST(SetUpHistory, KnowsTheWorkloadElseTheFramework) {
  const SetUpHistory history =
      history_of({run_of(cell_of("a", "f:eager"), 30), run_of(cell_of("b", "f:eager"), 10),
                  run_of(cell_of("b", "f:eager"), 12), run_of(cell_of("b", "f:eager"), 50)});
  EXPECT_NEAR(*history.seconds(cell_of("a", "f:eager")), 30, 1e-6);
  EXPECT_NEAR(*history.seconds(cell_of("b", "f:eager")), 12, 1e-6);
  EXPECT_NEAR(*history.seconds(cell_of("c", "f:eager")), 21, 1e-6);
  EXPECT_FALSE(history.seconds(cell_of("a", "g:eager")));
}

TEST(SetUpHistory, LeavesOutOtherMachinesAndFailedRuns) {
  EXPECT_FALSE(history_of({run_of(cell_of("a", "f:eager"), 30)}, "another")
                   .seconds(cell_of("a", "f:eager")));
  RunRecord failed = run_of(cell_of("a", "f:eager"), 30);
  failed.ok = false;
  EXPECT_FALSE(history_of({failed}).seconds(cell_of("a", "f:eager")));
}

TEST(SetUpHistory, ReadsTheNewestJournals) {
  const TemporaryFolder folder;
  {
    std::filesystem::create_directories(folder / "suite-20260101-000000");
    Journal journal(folder / "suite-20260101-000000");
    journal.append(environment_record("here", machine_called("this")));
    journal.append(to_record(run_of(cell_of("a", "f:eager"), 30)));
  }
  const SetUpHistory history = read_set_up_history(folder.path(), machine_called("this"));
  EXPECT_NEAR(history.seconds(cell_of("a", "f:eager")).value_or(0), 30, 1e-6);
  EXPECT_FALSE(read_set_up_history(folder / "nowhere", machine_called("this"))
                   .seconds(cell_of("a", "f:eager")));
}

}  // namespace
}  // namespace trainmark
