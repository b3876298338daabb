// Trainers that misbehave: each is a failed result with its reason, the suite goes on, the exit
// code is 1, and no process is left.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

struct Fault {
  const char* name;
  std::vector<std::string> arguments;
  const char* failure;  // the kind that must be recorded; "" = the run must go well
  const char* words;    // must stand in the reason

  friend void PrintTo(const Fault& it, std::ostream* out) { *out << it.name; }
};

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, AreRecordedAndTheSuiteGoesOn) {
  const Fault& fault = GetParam();
  const TemporaryFolder folder;
  const std::string clock = own_clock(folder.path());
  // Two cells: the faulty one and, by another batch, the same fault again: the suite went on.
  std::vector<std::string> arguments = fault.arguments;
  arguments.insert(arguments.end(), {"--step-ms", "1"});
  // What hangs must get as far as it would on a busy machine; nothing else may meet the limit.
  const char* limit = std::string(fault.failure) == "timeout" ? "15s" : "10m";
  write_text(
      folder / "faults.yaml",
      fmt::format("matrix: {{workload: clock, framework: clock, size: tiny, batch: [1, 2]}}\n"
                  "measure: {{rule: fixed, steps: 300, skip: 10}}\nrounds: 1\n"
                  "time_limit: {}\nframeworks: {{clock: {{program: [{}], arguments: [{}]}}}}\n",
                  limit, clock, fmt::join(arguments, ", ")));
  const Outcome outcome =
      trainmark({"run", (folder / "faults.yaml").string(), "--out", (folder / "results").string()});
  const bool should_fail = std::string(fault.failure) != "";
  EXPECT_EQ(outcome.code, should_fail ? 1 : 0) << outcome.errors;

  const JournalContents contents = read_journal(folder / "results");
  ASSERT_EQ(contents.runs.size(), 2U) << outcome.errors;
  for (const auto& run : contents.runs) {
    EXPECT_EQ(run.failure, fault.failure) << run.reason;
    EXPECT_NE(run.reason.find(fault.words), std::string::npos) << run.reason;
    EXPECT_EQ(run.ok, !should_fail);
  }
  EXPECT_TRUE(all_gone(clock)) << "a process is left";
}

// Larger batches of a cell that did not fit would not fit either, and a second try of the same one
// tells nothing new.
TEST(OutOfMemory, LargerBatchesAreSkippedWithTheReason) {
  const TemporaryFolder folder;
  const std::string clock = own_clock(folder.path());
  write_text(
      folder / "memory.yaml",
      fmt::format(
          "matrix: {{workload: clock, framework: clock, size: tiny, batch: [1, 2, 4, 8, 16]}}\n"
          "measure: {{rule: fixed, steps: 30, skip: 5}}\nrounds: 2\n"
          "frameworks: {{clock: {{program: [{}], arguments: [--step-ms, 1, --most-batch, "
          "2]}}}}\n",
          clock));
  const Outcome outcome =
      trainmark({"run", (folder / "memory.yaml").string(), "--out", (folder / "results").string()});
  EXPECT_EQ(outcome.code, 1) << outcome.errors;
  const JournalContents contents = read_journal(folder / "results");
  std::map<int, int> good;
  std::map<int, int> bad;
  for (const auto& run : contents.runs) {
    ++(run.ok ? good : bad)[run.cell.batch];
    EXPECT_EQ(run.failure, run.ok ? "" : "out-of-memory") << run.reason;
  }
  EXPECT_EQ(good, (std::map<int, int>{{1, 2}, {2, 2}}));
  std::set<int> skipped;
  for (const auto& skip : contents.skips) {
    EXPECT_NE(skip.reason.find("out of memory at batch"), std::string::npos) << skip.reason;
    skipped.insert(skip.cell.batch);
  }
  // Which of them was tried depends on the order of the round; none was tried twice, and each has
  // either its failure or the reason why it was left out.
  EXPECT_TRUE(bad.contains(4));
  for (const int batch : {4, 8, 16}) {
    EXPECT_EQ(bad.count(batch) + skipped.count(batch), 1U) << "batch " << batch;
    EXPECT_LE(bad[batch], 1) << "batch " << batch;
  }
}

// The largest batch is searched on GPUs only, so that this clock claims to run on one.
std::string clock_on_gpu(const TemporaryFolder& folder, const std::string& clock) {
  const std::string path = (folder / "gpu-clock").string();
  write_text(
      path,
      fmt::format("#!/bin/sh\n"
                  "case \"$*\" in *--describe*) {0} --describe | sed 's/\"cpu\"/\"cuda\"/' ;;\n"
                  "*) exec {0} $(echo \"$@\" | sed 's/--device cuda/--device cpu/') ;; esac\n",
                  clock));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST(LargestBatch, IsFoundBeforeTheFirstRoundAndKept) {
  const TemporaryFolder folder;
  const std::string clock = own_clock(folder.path());
  write_text(folder / "largest.yaml",
             fmt::format("matrix: {{workload: clock, framework: clock, size: tiny, device: cuda, "
                         "batch: max}}\n"
                         "measure: {{rule: fixed, steps: 30, skip: 5}}\nrounds: 2\n"
                         "frameworks: {{clock: {{program: [{}], arguments: [--step-ms, 1, "
                         "--most-batch, 77]}}}}\n",
                         clock_on_gpu(folder, clock)));
  const std::vector<std::string> words = {"run", (folder / "largest.yaml").string(), "--out",
                                          (folder / "results").string()};
  const Outcome outcome = trainmark(words);
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const JournalContents contents = read_journal(folder / "results");
  ASSERT_EQ(contents.batches.size(), 1U) << outcome.errors;
  const int found = contents.batches[0].cell.batch;
  EXPECT_LE(found, 77);
  EXPECT_GE(found, 74);
  ASSERT_EQ(contents.runs.size(), 2U);
  for (const auto& run : contents.runs) EXPECT_EQ(run.cell.batch, found);
  // Trials leave nothing behind, and a second session believes the first.
  std::size_t folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "results" / "runs")) {
    folders += entry.is_directory();
  }
  EXPECT_EQ(folders, 2U);
  std::vector<std::string> again = words;
  again.push_back("--resume");
  const Outcome second = trainmark(again);
  EXPECT_EQ(second.code, 0) << second.errors;
  EXPECT_EQ(second.errors.find("searching"), std::string::npos) << second.errors;
}

TEST(LargestBatch, OrTheNumberOfClassesIsFoundAndTheyAreDimensions) {
  const TemporaryFolder folder;
  const std::string clock = own_clock(folder.path());
  write_text(folder / "largest.yaml",
             fmt::format("matrix: {{workload: clock, framework: clock, size: tiny, device: cuda, "
                         "classes: [max, 500]}}\n"
                         "measure: {{rule: fixed, steps: 30, skip: 5}}\nrounds: 1\n"
                         "frameworks: {{clock: {{program: [{}], arguments: [--step-ms, 1, "
                         "--most-classes, 7777]}}}}\n",
                         clock_on_gpu(folder, clock)));
  const Outcome outcome = trainmark(
      {"run", (folder / "largest.yaml").string(), "--out", (folder / "results").string()});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const JournalContents contents = read_journal(folder / "results");
  ASSERT_EQ(contents.batches.size(), 1U) << outcome.errors;
  const double found = contents.batches[0].cell.shapes.at("classes");
  EXPECT_LE(found, 7777);
  EXPECT_GE(found, 7500);
  ASSERT_EQ(contents.runs.size(), 2U);
  for (const RunRecord& run : contents.runs) {
    ASSERT_TRUE(run.cell.shapes.contains("classes"));
    EXPECT_EQ(run.trainer.at("shapes").at("classes"), run.cell.shapes.at("classes"));
  }
  EXPECT_NE(outcome.output.find("tiny,classes=500"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("The largest that fits"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("shape-mismatch"), std::string::npos) << outcome.output;
}

TEST(LargestBatch, IsSteppedDownFromAWishAndMarkedInItsRow) {
  const TemporaryFolder folder;
  write_text(folder / "wish.yaml",
             "matrix: {workload: clock, framework: [clock, bare], size: tiny, batch: at most 128}\n"
             "measure: {rule: fixed, steps: 20, skip: 5}\nrounds: 1\n"
             "frameworks:\n"
             "  clock: {arguments: [--step-ms, 1, --most-batch, 100]}\n"
             "  bare: {program: [trainmark-clock], arguments: [--step-ms, 1]}\n");
  const std::string results = (folder / "results").string();
  const Outcome outcome = trainmark(
      {"run", (folder / "wish.yaml").string(), "--out", results, "--price-per-hour", "2"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("cost per 10"), std::string::npos) << outcome.output;
  const Outcome matrix = trainmark({"report", results, "--format", "matrix"});
  EXPECT_NE(matrix.output.find("CPU=1,BS=128"), std::string::npos) << matrix.output;
  EXPECT_NE(matrix.output.find("[BS=96"), std::string::npos) << matrix.output;
  EXPECT_EQ(matrix.output.find("BS=96 "), std::string::npos)
      << "no row of its own: " << matrix.output;
}

TEST(Plan, SkipsScalesThatThisMachineDoesNotHave) {
  const TemporaryFolder folder;
  write_text(folder / "scales.yaml",
             "matrix: {workload: clock, framework: clock, size: tiny, scale: [1n1g, 4n8g]}\n"
             "measure: {rule: fixed, steps: 20, skip: 5}\nrounds: 1\n"
             "frameworks: {clock: {arguments: [--step-ms, 1]}}\n");
  const std::string results = (folder / "results").string();
  const Outcome outcome = trainmark({"run", (folder / "scales.yaml").string(), "--out", results});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const Outcome report = trainmark({"report", results, "--format", "md"});
  EXPECT_NE(report.output.find("| CPU=32,BS=1 | –<sup>[1]</sup> |"), std::string::npos)
      << report.output;
  EXPECT_NE(report.output.find("> [1] scale 4n8g needs 4 machines"), std::string::npos)
      << report.output;
  // Where nothing else is left, it is the suite that is wrong.
  const Outcome nothing =
      trainmark({"run", (folder / "scales.yaml").string(), "--scale", "4n8g", "--dry-run"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_NE(nothing.errors.find("needs 4 machines"), std::string::npos) << nothing.errors;
}

TEST(LargestBatch, IsNotSearchedInTheHostsMemory) {
  const TemporaryFolder folder;
  write_text(folder / "largest.yaml",
             "matrix: {workload: clock, framework: clock, size: tiny, batch: max}\n");
  const Outcome outcome = trainmark({"run", (folder / "largest.yaml").string(), "--dry-run"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("on a CPU the search would fill the host's"), std::string::npos)
      << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Clock, Faults,
    testing::Values(
        Fault{"well", {}, "", ""}, Fault{"hang", {"--hang-after", "20"}, "timeout", "21 steps"},
        Fault{"crash", {"--crash-after", "20"}, "crash", "SIGSEGV"},
        Fault{"exit", {"--exit-after", "20", "--exit-code", "9"}, "exit", "exit code 9"},
        Fault{"garbage", {"--garbage"}, "", ""},
        Fault{"torn", {"--torn-events", "20"}, "bad-events", "event line"},
        Fault{"huge", {"--huge-event", "100000000"}, "bad-events", "longer than"},
        Fault{"nothing", {"--no-events"}, "no-events", "without any event"},
        Fault{"nan", {"--nan-after", "20"}, "nan-loss", ""},
        Fault{"orphan", {"--spawn-orphan"}, "", ""}, Fault{"deaf", {"--ignore-stop"}, "", ""},
        Fault{"bad_argument", {"--no-such-option"}, "exit", "argument '--no-such-option'"}),
    [](const auto& input) { return std::string(input.param.name); });

TEST(Faults, AStopThatWasMissedIsAskedForAgain) {
  const TemporaryFolder folder;
  write_text(
      folder / "deaf.yaml",
      fmt::format("matrix: {{workload: clock, framework: clock, size: tiny}}\n"
                  "measure: {{rule: adaptive, max_seconds: 1, min_seconds: 0.5}}\nrounds: 1\n"
                  "frameworks: {{clock: {{program: [{}], arguments: [--step-ms, 5, --miss-stops, "
                  "1]}}}}\n",
                  own_clock(folder.path())));
  const Outcome outcome =
      trainmark({"run", (folder / "deaf.yaml").string(), "--out", (folder / "results").string()});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const JournalContents contents = read_journal(folder / "results");
  ASSERT_EQ(contents.runs.size(), 1U);
  for (const Verdict& verdict : contents.runs[0].verdicts)
    EXPECT_NE(verdict.name, "did-not-stop") << verdict.message;
}

TEST(Programs, AreMeantFromWhereTrainmarkWasStarted) {
  const TemporaryFolder folder;
  const std::string clock = fs::relative(own_clock(folder.path())).string();
  ASSERT_FALSE(fs::path(clock).is_absolute());
  write_text(folder / "suite.yaml",
             fmt::format("matrix: {{workload: clock, framework: mine, size: tiny}}\n"
                         "measure: {{rule: fixed, steps: 20, skip: 2}}\nrounds: 1\n"
                         "frameworks: {{mine: {{program: ['{}'], arguments: [--step-ms, 1]}}}}\n",
                         clock));
  const Outcome outcome =
      trainmark({"run", (folder / "suite.yaml").string(), "--out", (folder / "results").string()});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
}

TEST(Faults, AProgramThatCannotBeStartedIsAFailedResult) {
  const TemporaryFolder folder;
  // It describes itself, and is gone when it is to train.
  const std::string program = (folder / "trainer").string();
  write_text(program,
             "#!/bin/sh\n"
             "[ \"$1\" = --describe ] || exit 0\n"
             "cat <<E\n"
             R"({"protocol":1,"versions":{},"devices":[{"name":"cpu"}],"workloads":[)"
             R"({"name":"x","unit":"items","modes":["a"],"sizes":[{"name":"tiny","batch":1}],)"
             R"("precisions":{"cpu":["fp32"]}}]})"
             "\nE\nrm -f \"$0\"\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  write_text(folder / "s.yaml", fmt::format("matrix: {{workload: x, framework: mine, size: tiny}}\n"
                                            "rounds: 2\nframeworks: {{mine: {{program: [{}]}}}}\n",
                                            program));
  const Outcome outcome =
      trainmark({"run", (folder / "s.yaml").string(), "--out", (folder / "results").string()});
  EXPECT_EQ(outcome.code, 1) << outcome.errors;
  const JournalContents contents = read_journal(folder / "results");
  ASSERT_EQ(contents.runs.size(), 2U);
  EXPECT_EQ(contents.runs[0].failure, "start-failed");
}

}  // namespace
}  // namespace trainmark::e2e
