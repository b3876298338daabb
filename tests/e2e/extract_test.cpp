// `trainmark extract` as a user would drive it.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "e2e/support/program.h"
#include "journal/journal.h"
#include "logs/made_up_logs.h"
#include "logs/packed_bytes.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

double rate_at(int step, double level) {
  return level * (1 + 0.002 * (step % 5));
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string plsc_log(double level) {
  return lines_of(200, [&](int step) { return plsc_line(step, rate_at(step, level)); });
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(Extract, GivesAFigureThatCanBeDefended) {
  const TemporaryFolder folder;
  write(folder / "a.log", plsc_log(100));
  const Outcome outcome = trainmark(
      {"extract", (folder / "a.log").string(), "--gpus", "4", "--batch", "32", "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const Json log = Json::parse(outcome.output).at("logs").at(0);
  EXPECT_EQ(log.at("dialect"), "plsc");
  EXPECT_EQ(log.at("gpus"), 4);
  EXPECT_EQ(log.at("taken_from").at("gpus"), "--gpus");
  EXPECT_NEAR(log.at("throughput").get<double>(), 100.4, 0.1);
  EXPECT_LE(log.at("low"), log.at("throughput"));
  EXPECT_GE(log.at("high"), log.at("throughput"));
  const Outcome rule =
      trainmark({"extract", (folder / "a.log").string(), "--rule", "printed", "--format", "csv"});
  ASSERT_EQ(rule.code, 0) << rule.errors;
  EXPECT_TRUE(says(rule.output, "100.4")) << rule.output;
}

TEST(Extract, AGuessIsSaidOnceAndAWidthOfNothingInWords) {
  const TemporaryFolder folder;
  write(folder / "own.log", lines_of(100, [](int step) {
          return fmt::format("step {} loss 0.5 100.0 samples/s", step);
        }));
  const Outcome outcome = trainmark({"extract", (folder / "own.log").string()});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(says(outcome.output, "< 0.01 %")) << outcome.output;
  EXPECT_TRUE(says(outcome.output, "assumed: the rate is that of the whole job")) << outcome.output;
}

TEST(Extract, ReadsAFolderInDlperfsConventionAndSavesTheShapeOfItsScripts) {
  const TemporaryFolder folder;
  for (int run = 1; run <= 3; ++run) {
    write(folder / fmt::format("1n1g/r50_b128_fp32_{}.log", run), plsc_log(100));
    write(folder / fmt::format("1n8g/r50_b128_fp32_{}.log", run), plsc_log(700));
  }
  write(folder / "README", "not a log\n");
  fs::create_directory_symlink(folder.path(), folder / "loop");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const fs::path saved = folder / "result.json";
  const Outcome outcome =
      trainmark({"extract", folder.path().string(), "--rule", "printed", "--save", saved.string()});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(says(outcome.output, "speed-up")) << outcome.output;
  const Json json = Json::parse(std::ifstream(saved));
  EXPECT_EQ(json.at("r50").at("1n8g").at("speedup"), 7.0);
  EXPECT_EQ(json.at("r50").at("1n1g").at("batch_size_per_device"), 128);
  EXPECT_NEAR(json.at("r50").at("1n1g").at("median_speed").get<double>(), 100.4, 0.01);
}

TEST(Extract, AddsFiguresToAJournalMarkedAsForeign) {
  const TemporaryFolder folder;
  write(folder / "1n4g/r50_b128_fp32_1.log", plsc_log(400));
  write(folder / "1n4g/r50_b128_fp32_2.log", plsc_log(401));
  const fs::path journal = folder / "results";
  // The second time, the first log is there already.
  for (const char* name : {"1n4g/r50_b128_fp32_1.log", "1n4g"}) {
    const Outcome outcome = trainmark(
        {"extract", (folder / name).string(), "--into", journal.string(), "--format", "csv"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_TRUE(says(outcome.errors, "1 figure added to")) << outcome.errors;
  }
  const JournalContents contents = read_journal(journal);
  EXPECT_TRUE(contents.damage.empty());
  ASSERT_EQ(contents.runs.size(), 2U);
  const RunRecord& run = contents.runs.back();
  EXPECT_EQ(run.cell.framework, "log:plsc");
  EXPECT_EQ(run.cell.scale.text(), "1n4g");
  EXPECT_EQ(run.round, 2);
  ASSERT_FALSE(run.verdicts.empty());
  EXPECT_EQ(run.verdicts.front().name, "foreign");
  const Outcome report = trainmark({"report", journal.string()});
  EXPECT_EQ(report.code, 0) << report.errors;
  EXPECT_TRUE(says(report.output, "log:plsc")) << report.output;
}

double throughput_in(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  return Json::parse(outcome.output).at("logs").at(0).at("throughput").get<double>();
}

TEST(Extract, EventsOfALoadedMachineGiveItemsOverTime) {
  const TemporaryFolder folder;
  double end = 0;
  write(folder / "events.jsonl", lines_of(60, [&](int step) {
          const double seconds = step % 2 == 0 ? 1e-5 : 0.02;
          end += seconds;
          return fmt::format(
              R"({{"event":"step","step":{},"end":{},"seconds":{},"items":8,"loss":1.5}})", step,
              end, seconds);
        }));
  EXPECT_NEAR(throughput_in(trainmark(
                  {"extract", folder / "events.jsonl", "--gpus", "1", "--format", "json"})),
              800, 20);
}

TEST(Extract, APatternNamesItsUnits) {
  const TemporaryFolder folder;
  write(folder / "own.log",
        lines_of(50, [](int step) { return fmt::format("it {} took 250 ms", step); }));
  const auto extract = [&](const std::string& group) {
    return trainmark({"extract", folder / "own.log", "--pattern",
                      "it (?P<step>\\d+) took (?P<" + group + ">\\d+)", "--batch", "8", "--gpus",
                      "1", "--format", "json"});
  };
  EXPECT_NEAR(throughput_in(extract("time:ms")), 32, 1e-6);
  const Outcome silent = extract("time");
  EXPECT_EQ(silent.code, 2) << silent.output;
  EXPECT_TRUE(says(silent.errors, "(?P<time:ms>")) << silent.errors;
  EXPECT_TRUE(says(extract("time:fortnight").errors, "s, ms, us")) << "unknown units";
}

TEST(Extract, ColoursAndThousandsHideNothing) {
  const TemporaryFolder folder;
  write(folder / "a.log", lines_of(50, [](int step) {
          return fmt::format(
              "\x1b[32m[TRAIN]\x1b[0m epoch: 1, iter: {}/400, loss: 1.5, lr: 0.01, batch_cost: "
              "0.0053, reader_cost: 0.01, ips: \x1b[1m1,512.00\x1b[0m samples/sec | ETA 00:01:00",
              step);
        }));
  EXPECT_NEAR(
      throughput_in(trainmark({"extract", folder / "a.log", "--gpus", "1", "--format", "json"})),
      1512, 1e-6);
}

TEST(Extract, APatternReadsAnythingElse) {
  const TemporaryFolder folder;
  write(folder / "own.log", lines_of(50, [](int step) {
          return fmt::format("iteration {} took long, {} pictures a second", step,
                             rate_at(step, 10));
        }));
  const std::string path = (folder / "own.log").string();
  const Outcome unknown = trainmark({"extract", path});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(says(unknown.errors, "--pattern")) << unknown.errors;
  const Outcome outcome = trainmark(
      {"extract", path, "--pattern", R"(iteration (?P<step>\d+) .*, (?P<rate>[\d.]+) pic)",
       "--scope", "rank", "--gpus", "2", "--unit", "images/s", "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const Json log = Json::parse(outcome.output).at("logs").at(0);
  EXPECT_NEAR(log.at("throughput").get<double>(), 20.08, 0.1);
  EXPECT_EQ(log.at("unit"), "images/s");
}

TEST(Extract, MistakesEndWithTwoAndSayWhatToWrite) {
  const TemporaryFolder folder;
  write(folder / "a.log", plsc_log(100));
  write(folder / "empty.log", "");
  write(folder / "binary.log", std::string(5000, '\x02'));
  const std::string good = (folder / "a.log").string();
  struct Mistake {
    std::vector<std::string> words;
    const char* answer;
  };
  const std::vector<Mistake> mistakes = {
      {{}, "paths"},
      {{"/nowhere.log"}, "/nowhere.log"},
      {{(folder / "empty.log").string()}, "empty"},
      {{(folder / "binary.log").string()}, "binary"},
      {{good, "--dialect", "plcs"}, "'plsc'"},
      {{good, "--dialect", "mmcv"}, "omit --dialect"},
      {{good, "--format", "xml"}, "json"},
      {{good, "--rule", "skp=10"}, "'skip'"},
      {{good, "--rule", "skip=1000"}, "leaves none"},
      {{good, "--rule", "records=step scale=gpus"}, "--gpus"},
      {{good, "--gpus", "0"}, "--gpus"},
      {{good, "--pattern", "("}, "--pattern"},
      {{good, "--pattern", "(?P<speed>x)"}, "rate"},
      {{good, "--scope", "world"}, "rank, node or job"},
  };
  for (const Mistake& mistake : mistakes) {
    std::vector<std::string> words = {"extract"};
    words.insert(words.end(), mistake.words.begin(), mistake.words.end());
    const Outcome outcome = trainmark(words);
    EXPECT_EQ(outcome.code, 2) << mistake.answer;
    EXPECT_EQ(outcome.output, "");
    EXPECT_TRUE(says(outcome.errors, mistake.answer)) << outcome.errors;
  }
}

TEST(Extract, AnEndlessLineAndALongLogTakeLittleMemory) {
  const TemporaryFolder folder;
  std::ofstream file(folder / "long.log");
  for (int i = 0; i < 200; ++i) file << std::string(1 << 20, 'x');
  file << '\n';
  for (int i = 0; i < 100; ++i) file << plsc_log(100);
  file.close();
  const Outcome outcome = trainmark({"extract", (folder / "long.log").string(), "--format", "csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(says(outcome.output, "lines-cut")) << outcome.output;
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(outcome.peak_kib, 100 * 1024);
#endif
}

TEST(Extract, StandardInputIsALogToo) {
  const TemporaryFolder folder;
  write(folder / "a.log", plsc_log(100));
  write(folder / "a.log.xz", packed_by_xz(plsc_log(100)));
  const std::string log = folder / "a.log";
  for (const std::string& words :
       {"cat " + log + " | " + program_path() + " extract - --gpus 4 --format json",
        program_path() + " extract - --gpus 4 --format json < " + log,
        "cat " + log + ".xz | " + program_path() + " extract - --gpus 4 --format json"}) {
    const Outcome outcome = shell(words);
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    const Json read = Json::parse(outcome.output).at("logs").at(0);
    EXPECT_NEAR(read.at("throughput").get<double>(), 100.4, 0.1);
    EXPECT_EQ(read.at("file"), "standard input");
  }
  const Outcome empty = shell(": | " + program_path() + " extract -");
  EXPECT_EQ(empty.code, 2);
  EXPECT_TRUE(says(empty.errors, "standard input: it is empty")) << empty.errors;
}

TEST(Extract, AFolderIsReadForItsLogsAlone) {
  const TemporaryFolder folder;
  write(folder / "a100_fp32.log.zst", packed_by_zstd(plsc_log(100)));
  write(folder / "v100_fp32.log.gz", packed_by_gzip(plsc_log(60)));
  write(folder / "README.md", plsc_log(7));
  write(folder / "figures.csv", plsc_log(7));
  write(folder / "notes.txt", "nothing in here is a record\n");
  const Outcome outcome = trainmark({"extract", folder.path(), "--gpus", "1", "--batch", "8"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(
      says(outcome.output, "3 files were skipped: 1 document, 1 table, 1 file without a record"))
      << outcome.output;
  EXPECT_FALSE(says(outcome.output, "README.md"));
  const Outcome listed =
      trainmark({"extract", folder.path(), "--gpus", "1", "--batch", "8", "--passed-over"});
  EXPECT_TRUE(says(listed.output, "README.md: its name says that it is not a log"))
      << listed.output;
  const Json json = Json::parse(
      trainmark({"extract", folder.path(), "--gpus", "1", "--batch", "8", "--format", "json"})
          .output);
  ASSERT_EQ(json.at("logs").size(), 2U);
  EXPECT_EQ(json.at("logs").at(0).at("machine"), "a100");
  EXPECT_EQ(json.at("scaling").size(), 2U) << "two machines are two cells: " << json.at("scaling");
}

TEST(Extract, DialectsAreListedWithASample) {
  const Outcome outcome = trainmark({"list", "dialects"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.output, "paddleclas"));
  EXPECT_TRUE(says(outcome.output, "qps:"));
}

}  // namespace
}  // namespace trainmark::e2e
