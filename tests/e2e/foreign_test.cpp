// Programs that were not written for Trainmark, measured from what they print.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

const char* const clock_pattern = R"(step +(?P<step>\d+) +[\d.]+ ms +(?P<rate:items/s>[\d.]+))";

/// The clock, which prints its steps where nobody gave it a place for events.
std::vector<std::string> clock_command(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {TRAINMARK_BIN "/trainmark-clock",
                                    "--workload",
                                    "clock",
                                    "--size",
                                    "tiny",
                                    "--mode",
                                    "spin",
                                    "--precision",
                                    "fp32",
                                    "--batch",
                                    "4",
                                    "--accumulate",
                                    "1",
                                    "--device",
                                    "cpu",
                                    "--seed",
                                    "1",
                                    "--steps",
                                    "1000000"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Prints a header and then, for ever, records of PaddleSeg: `say` gives batch_cost and ips,
/// `pause` is what it really does between two records.
std::string seg_script(const std::string& batch_cost, const std::string& ips,
                       const std::string& pause, const std::string& first = "") {
  return "#!/bin/sh\n" + first +
         "echo 'batch_size: 8'\ni=0\nwhile :; do\n  i=$((i+1))\n  echo \"[TRAIN] epoch: 1, iter: "
         "$i/99999, loss: 1.5, lr: 0.01, batch_cost: " +
         batch_cost + ", reader_cost: 0.0001, ips: " + ips + " samples/sec | ETA 00:01:00\"\n  " +
         pause + "\ndone\n";
}

std::string script(const TemporaryFolder& folder, const std::string& text) {
  const fs::path path = folder / "train.sh";
  write_text(path, text);
  fs::permissions(path, fs::perms::owner_all);
  return path.string();
}

struct SegSuite {
  int steps, rounds, gpus;
};

/// s.yaml: the program as a command whose lines tell the dialect.
void write_seg_suite(const TemporaryFolder& folder, const std::string& program,
                     const SegSuite& suite) {
  write_text(
      folder / "s.yaml",
      fmt::format("matrix: {{framework: seg}}\nmeasure: {{rule: fixed, steps: {}, skip: 2}}\n"
                  "rounds: {}\nframeworks:\n  seg: {{command: [{}], gpus: {}}}\n",
                  suite.steps, suite.rounds, program, suite.gpus));
}

Outcome measure(const TemporaryFolder& folder, std::vector<std::string> options,
                const std::vector<std::string>& command) {
  std::vector<std::string> arguments = {"measure", "--out", (folder / "results").string(),
                                        "--rounds", "1"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back("--");
  arguments.insert(arguments.end(), command.begin(), command.end());
  return trainmark(arguments);
}

RunRecord only_run(const TemporaryFolder& folder) {
  const JournalContents contents = read_journal(folder / "results");
  EXPECT_EQ(contents.runs.size(), 1U);
  return contents.runs.empty() ? RunRecord() : contents.runs.front();
}

bool has_verdict(const RunRecord& run, const std::string& name) {
  return std::any_of(run.verdicts.begin(), run.verdicts.end(),
                     [&](const Verdict& verdict) { return verdict.name == name; });
}

TEST(Foreign, AreMeasuredWithinOnePercentOfTheTruth) {
  const TemporaryFolder folder;
  // The clock keeps a schedule of absolute times, so that the truth holds on a busy machine, too.
  const Outcome outcome =
      measure(folder,
              {"--pattern", clock_pattern, "--batch", "4", "--gpus", "1", "--unit", "images",
               "--max-seconds", "8"},
              clock_command({"--step-ms", "5", "--warmup-steps", "40", "--warmup-factor", "4"}));
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const RunRecord run = only_run(folder);
  EXPECT_TRUE(run.ok);
  EXPECT_NEAR(run.summary.throughput.value, 800, 8);
  EXPECT_EQ(run.unit, "images");
  EXPECT_EQ(run.cell.batch, 4);
  EXPECT_TRUE(has_verdict(run, "foreign"));
  EXPECT_EQ(run.trainer.at("said").at("batch"), "--batch");
  EXPECT_NEAR(run.trainer.at("clock_throughput").get<double>(), 800, 80);
  EXPECT_NE(outcome.output.find("images/s"), std::string::npos) << outcome.output;
  // The steps are there as those of our own trainers are.
  std::ifstream events(folder / "results" / run.folder / "events.jsonl");
  std::size_t steps = 0;
  for (std::string line; std::getline(events, line);)
    steps += nlohmann::json::parse(line).at("event") == "step" ? 1 : 0;
  EXPECT_EQ(steps, run.summary.steps);
}

TEST(Foreign, TellWhatTheSuiteDoesNotSay) {
  const TemporaryFolder folder;
  const std::string program = script(folder, seg_script("0.0500", "160.0", "sleep 0.05"));
  write_seg_suite(folder, program, {.steps = 8, .rounds = 2, .gpus = 2});
  const std::vector<std::string> arguments = {"run", (folder / "s.yaml").string(), "--out",
                                              (folder / "results").string()};
  const Outcome first = trainmark(arguments);
  ASSERT_EQ(first.code, 0) << first.errors;
  JournalContents contents = read_journal(folder / "results");
  ASSERT_EQ(contents.runs.size(), 2U);
  const RunRecord& run = contents.runs.front();
  EXPECT_EQ(run.cell.key(), "seg:full/seg/unknown/b8/cpu/1n2g");
  EXPECT_EQ(run.asked, "seg:full/seg/unknown/b?/cpu/1n2g");
  EXPECT_EQ(run.trainer.at("log").at("dialect"), "paddleseg");
  EXPECT_NEAR(run.summary.throughput.value, 320, 1e-6) << "2 ranks, as they print";
  EXPECT_EQ(run.summary.stopped, "fixed");
  EXPECT_FALSE(has_verdict(run, "did-not-stop"));
  // More rounds of the same are found to be the same.
  std::vector<std::string> more = arguments;
  more.insert(more.end(), {"--resume", "--rounds", "3"});
  ASSERT_EQ(trainmark(more).code, 0);
  contents = read_journal(folder / "results");
  EXPECT_EQ(contents.runs.size(), 3U);
  EXPECT_EQ(results_of(contents).size(), 1U);
}

TEST(Foreign, AreHeldAgainstTheClockByTheBatchAlone) {
  // Rates and no times; with the number of the step and without.
  for (const char* pattern : {"step (?P<step>\\d+) speed (?P<rate>\\d+)", "speed (?P<rate>\\d+)"}) {
    const TemporaryFolder folder;
    const std::string program =
        script(folder,
               "#!/bin/sh\ni=0\nwhile :; do\n  i=$((i+1))\n  echo \"step $i speed 12345 img/s\"\n"
               "  sleep 0.01\ndone\n");
    ASSERT_EQ(
        measure(folder, {"--batch", "1", "--max-seconds", "1", "--pattern", pattern}, {program})
            .code,
        0);
    const RunRecord run = only_run(folder);
    EXPECT_NEAR(run.summary.throughput.value, 12345, 1);
    EXPECT_LE(run.trainer.at("clock_throughput").get<double>(), 101);
    const auto verdict = std::find_if(run.verdicts.begin(), run.verdicts.end(),
                                      [](const Verdict& it) { return it.name == "clock-differs"; });
    ASSERT_NE(verdict, run.verdicts.end()) << pattern;
    EXPECT_NE(verdict->message.find("% less than printed"), std::string::npos) << verdict->message;
  }
}

TEST(Foreign, AreHeldAgainstTheClock) {
  const TemporaryFolder folder;
  const std::string program = script(folder, seg_script("0.0010", "8000.0", "sleep 0.05"));
  write_seg_suite(folder, program, {.steps = 30, .rounds = 1, .gpus = 1});
  ASSERT_EQ(
      trainmark({"run", (folder / "s.yaml").string(), "--out", (folder / "results").string()}).code,
      0);
  const RunRecord run = only_run(folder);
  EXPECT_NEAR(run.summary.throughput.value, 8000, 1e-6) << "what is printed stays the figure";
  EXPECT_LE(run.trainer.at("clock_throughput").get<double>(), 160);
  EXPECT_TRUE(has_verdict(run, "clock-differs"));
}

TEST(Foreign, WhoDoNotListenAreEndedWithAllTheyStarted) {
  const TemporaryFolder folder;
  const std::string mark = "trainmark_stubborn_" + folder.path().filename().string();
  const std::string program = script(
      folder, seg_script("0.0500", "160.0", "sleep 0.02",
                         "trap '' INT TERM\nsh -c 'while :; do sleep 1; done' " + mark + " &\n"));
  write_seg_suite(folder, program, {.steps = 8, .rounds = 1, .gpus = 1});
  ASSERT_EQ(
      trainmark({"run", (folder / "s.yaml").string(), "--out", (folder / "results").string()}).code,
      0);
  const RunRecord run = only_run(folder);
  EXPECT_TRUE(run.ok) << run.reason;
  EXPECT_TRUE(has_verdict(run, "did-not-stop"));
  EXPECT_TRUE(all_gone(mark));
}

struct Breakdown {
  const char* name;
  const char* text;  // of the script
  const char* failure;
  const char* words;  // of the reason

  friend void PrintTo(const Breakdown& it, std::ostream* out) { *out << it.name; }
};

class Breakdowns : public testing::TestWithParam<Breakdown> {};

TEST_P(Breakdowns, AreResultsWithAReason) {
  const TemporaryFolder folder;
  const std::string program = script(folder, std::string("#!/bin/sh\n") + GetParam().text);
  const Outcome outcome = measure(folder, {"--time-limit", "10m"}, {program});
  EXPECT_EQ(outcome.code, 1) << outcome.errors;
  const RunRecord run = only_run(folder);
  EXPECT_FALSE(run.ok);
  EXPECT_EQ(run.failure, GetParam().failure);
  EXPECT_NE(run.reason.find(GetParam().words), std::string::npos) << run.reason;
  EXPECT_EQ(run.cell.batch, 1);
  EXPECT_TRUE(has_verdict(run, "batch-unknown"));
}

INSTANTIATE_TEST_SUITE_P(
    Table, Breakdowns,
    testing::Values(
        Breakdown{"exit", "echo 'ValueError: no such file' >&2; exit 3\n", "exit",
                  "exit code 3; its last line: ValueError: no such file"},
        Breakdown{"crash", "kill -SEGV $$\n", "crash", "SIGSEGV"},
        Breakdown{"memory", "echo 'RuntimeError: CUDA out of memory.' >&2; exit 1\n",
                  "out-of-memory", "CUDA out of memory"},
        Breakdown{"silent", "exit 0\n", "no-records", "0 lines"},
        Breakdown{"unknown_lines", "echo hello; echo world\n", "no-records", "--marker TEXT"},
        Breakdown{"unknown_numbers", "while :; do echo 'loss 0.5 acc 0.7'; sleep 0.02; done\n",
                  "no-records", "stopped early: its output shows neither steps nor a speed"},
        Breakdown{"unknown_numbers_with_advice",
                  "for i in 1 2 3; do echo \"loss 0.5 acc 0.7\"; done\n", "no-records",
                  "Two of its lines: 'loss 0.5 acc 0.7' and 'loss 0.5 acc 0.7'. To "
                  "count such lines as steps: --marker 'loss'"}),
    [](const auto& breakdown) { return std::string(breakdown.param.name); });

TEST(Foreign, AreNotStartedAgainWhereTheyCannotBeRead) {
  const TemporaryFolder folder;
  const std::string program = script(folder, "#!/bin/sh\necho started >> started\necho hello\n");
  const Outcome outcome = shell("cd " + folder.path().string() + " && " + program_path() +
                                " measure --rounds 3 --out results -- " + program);
  EXPECT_EQ(outcome.code, 1) << outcome.errors;
  EXPECT_EQ(read_journal(folder / "results").runs.size(), 1U);
  EXPECT_EQ(shell("wc -l < " + (folder / "started").string()).output, "1\n");
}

TEST(Foreign, ThatDoNotExistAreRefused) {
  const TemporaryFolder folder;
  const Outcome nowhere = measure(folder, {}, {"trainmark-no-such-program", "x"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(nowhere.errors.find("there is no program 'trainmark-no-such-program' in PATH"),
            std::string::npos)
      << nowhere.errors;
  write_text(folder / "train.py", "print(1)\n");
  const Outcome plain = measure(folder, {}, {(folder / "train.py").string()});
  EXPECT_EQ(plain.code, 2);
  EXPECT_NE(plain.errors.find("start it with its interpreter, such as python3"), std::string::npos)
      << plain.errors;
  EXPECT_FALSE(fs::exists(folder / "results"));
}

TEST(Foreign, AreMeasuredByMarkedLines) {
  const TemporaryFolder folder;
  const std::string program = script(
      folder, "#!/bin/sh\nwhile :; do echo \"a step is done\"; echo noise; sleep 0.05; done\n");
  const Outcome outcome =
      measure(folder, {"--marker", "step is done", "--max-seconds", "2"}, {program});
  const RunRecord run = only_run(folder);
  ASSERT_TRUE(run.ok) << outcome.errors << run.reason;
  EXPECT_EQ(run.unit, "steps");
  // A sleep of 0.05 s takes longer on a busy machine, never shorter.
  EXPECT_LT(run.summary.throughput.value, 20.5);
  EXPECT_GT(run.summary.throughput.value, 1);
}

/// Looks like docker to trainmark: starts the command behind the image, with what --env gives it.
std::string fake_docker(const TemporaryFolder& folder) {
  const fs::path bin = folder / "bin";
  fs::create_directories(bin);
  write_text(bin / "docker",
             "#!/bin/sh\n[ \"$1\" = run ] || exit 0\nshift\nunset TRAINMARK_EVENTS\n"
             "while [ \"$1\" != image:1 ]; do\n"
             "  case \"$1 $2\" in '--env '*=*) export \"$2\";; esac\n  shift\ndone\nshift\n"
             "exec 3>&-\nexec \"$@\"\n");
  fs::permissions(bin / "docker", fs::perms::owner_all);
  return "PATH=" + bin.string() + ":/usr/bin:/bin";
}

TEST(Containers, LetTheEventsOfOurTrainersOut) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml",
             "matrix: {workload: clock, framework: clock, size: tiny}\n"
             "measure: {rule: fixed, steps: 30, skip: 3}\nrounds: 1\n"
             "frameworks: {clock: {arguments: [--step-ms, 1], container: 'image:1'}}\n");
  const Outcome outcome =
      run_program({"env", fake_docker(folder), TRAINMARK_BIN "/trainmark", "run",
                   (folder / "s.yaml").string(), "--out", (folder / "results").string()});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const RunRecord run = only_run(folder);
  EXPECT_EQ(run.summary.steps, 30U);
  EXPECT_EQ(run.command.front(), "docker");
  EXPECT_EQ(run.trainer.at("framework"), "clock");
}

TEST(Containers, HoldCommandsOfOthers) {
  const TemporaryFolder folder;
  const std::string program = script(folder, seg_script("0.0500", "160.0", "sleep 0.02"));
  std::vector<std::string> command = {"env",
                                      fake_docker(folder),
                                      TRAINMARK_BIN "/trainmark",
                                      "measure",
                                      "--out",
                                      (folder / "results").string(),
                                      "--rounds",
                                      "1",
                                      "--max-seconds",
                                      "1",
                                      "--gpus",
                                      "1",
                                      "--container",
                                      "image:1",
                                      "--",
                                      program};
  const Outcome outcome = run_program(command);
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const RunRecord run = only_run(folder);
  EXPECT_EQ(run.command.front(), "docker");
  EXPECT_NEAR(run.summary.throughput.value, 160, 1e-6);
}

TEST(Recipes, CanAllBePlanned) {
  std::size_t recipes = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(TRAINMARK_SOURCE) / "recipes")) {
    if (entry.path().extension() != ".yaml") continue;
    ++recipes;
    const Outcome outcome = trainmark({"run", entry.path().string(), "--dry-run", "--commands"});
    EXPECT_EQ(outcome.code, 0) << entry.path() << outcome.errors;
    for (const char* words : {"/cuda/1n1g", "/cuda/1n8g", "docker run --rm --init", "--gpus all"})
      EXPECT_NE(outcome.output.find(words), std::string::npos) << entry.path() << "\n" << words;
    EXPECT_EQ(outcome.output.find('{'), std::string::npos) << "a word in braces is left";
    if (outcome.output.find("4n8g") != std::string::npos) {
      EXPECT_NE(outcome.output.find("node 3: "), std::string::npos) << outcome.output;
    }
  }
  EXPECT_GE(recipes, 10U);
}

TEST(Interpreters, OfASuiteAreUsedInsteadOfTheProjectsOwn) {
  const TemporaryFolder folder;
  write_text(folder / "python", "#!/bin/sh\necho 'this interpreter was asked' >&2\nexit 7\n");
  fs::permissions(folder / "python", fs::perms::owner_all);
  write_text(folder / "s.yaml",
             "matrix: {workload: resnet50, framework: pytorch}\nframeworks:\n"
             "  pytorch: {python: " +
                 (folder / "python").string() + "}\n");
  const Outcome outcome = trainmark({"run", (folder / "s.yaml").string(), "--dry-run"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("this interpreter was asked"), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace trainmark::e2e
