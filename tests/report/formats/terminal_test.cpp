#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "base/text.h"
#include "report/sample_journal.h"

namespace trainmark {
namespace {

TEST(TerminalReport, ShowsAFigureWithUnitAndInterval) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager", 128), 400);
  const std::string text = journal.report("table");
  EXPECT_NE(text.find("resnet50"), std::string::npos);
  EXPECT_NE(text.find("images/s"), std::string::npos);
  EXPECT_NE(text.find("±"), std::string::npos);
  EXPECT_NE(text.find("2.00 GiB"), std::string::npos);
  EXPECT_NE(text.find("320"), std::string::npos) << "the step time in ms";
  EXPECT_EQ(text.find("speed-up"), std::string::npos) << "there is one scale only";
}

TEST(TerminalReport, SpeedUpWhereThereAreScales) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager", 128), 400)
      .good(SampleJournal::cell("resnet50", "libtorch:eager", 128, "1n8g"), 2560);
  const std::string text = journal.report("table");
  EXPECT_NE(text.find("speed-up"), std::string::npos);
  EXPECT_NE(text.find("6.40"), std::string::npos);
}

TEST(TerminalReport, FailuresAndSkipsSayWhy) {
  SampleJournal journal;
  journal.failed(SampleJournal::cell("bert", "libtorch:eager"), "out-of-memory", "16 GiB are full");
  journal.contents.skips = {{SampleJournal::cell("bert", "jax:jit"), "jax is not installed"}};
  journal.contents.damage = {"line 7: the sum does not match"};
  const std::string text = journal.report("table");
  EXPECT_NE(text.find("failed: out of memory"), std::string::npos);
  EXPECT_NE(text.find("16 GiB are full"), std::string::npos);
  EXPECT_NE(text.find("skipped: jax is not installed"), std::string::npos);
  EXPECT_NE(text.find("line 7"), std::string::npos);
  EXPECT_NE(journal.report("table", Language::zh).find("失败：内存不足"), std::string::npos);
}

TEST(TerminalReport, ASkippedCellThatWasMeasuredLaterIsNotMissing) {
  SampleJournal journal;
  const Cell cell = SampleJournal::cell("bert", "libtorch:eager");
  journal.good(cell, 10);
  journal.contents.skips = {{cell, "no GPU"}};
  EXPECT_EQ(journal.report("table").find("no GPU"), std::string::npos);
}

TEST(TerminalReport, VerdictsStandBesideTheFigureAndBelowInWords) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 400);
  journal.contents.runs[0].verdicts = {{"throttled", "at 70 % of the clock"}};
  const std::string text = journal.report("table");
  EXPECT_NE(text.find("throttled\n"), std::string::npos);
  EXPECT_NE(text.find("throttled (cells: 1 of 1): at 70 % of the clock"), std::string::npos);
}

TEST(TerminalReport, FoldsWarningsByKindUnlessAskedForAll) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 400)
      .good(SampleJournal::cell("bert", "libtorch:eager"), 400);
  for (RunRecord& run : journal.contents.runs) run.verdicts = {{"throttled", "at 70 %"}};
  const auto count = [](const std::string& text, const std::string& part) {
    const std::vector<std::string> lines = split(text, '\n');
    return std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.find(part) != std::string::npos;
    });
  };
  const std::string folded = journal.report("table");
  EXPECT_EQ(count(folded, ": at 70 %"), 1) << folded;
  EXPECT_NE(folded.find("throttled (cells: 2 of 2)"), std::string::npos) << folded;
  ReportOptions options;
  options.details = true;
  EXPECT_EQ(count(journal.report("table", Language::en, options), "throttled: at 70 %"), 2);
}

TEST(TerminalReport, EndsWithWhatCanBeBelieved) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 400);
  const std::string text = journal.report("table");
  EXPECT_NE(text.find("1 workload, 1 framework; throughput is typically known to ±"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("may be noise"), std::string::npos) << text;
}

TEST(TerminalReport, CountsNoProofsOfProgramsThatVerifyDoesNotKnow) {
  SampleJournal journal;
  for (const char* framework : {"a", "b", "c"})
    journal.good(SampleJournal::cell("bert", framework), 100);
  EXPECT_NE(journal.report("table").find("0 of 3 figures are verified"), std::string::npos);
  for (RunRecord& run : journal.contents.runs)
    if (run.cell.framework == "c") run.verdicts = {{"foreign", "another program"}};
  EXPECT_NE(journal.report("table").find("0 of 2 figures are verified"), std::string::npos);
  for (RunRecord& run : journal.contents.runs) run.verdicts = {{"foreign", "another program"}};
  EXPECT_EQ(journal.report("table").find("figures are verified"), std::string::npos);
}

TEST(TerminalReport, SaysOnceThatTheMachineWanders) {
  const auto report = [](int wandering) {
    SampleJournal journal;
    for (int number = 0; number < 4; ++number) {
      for (int round = 1; round <= 2; ++round) {
        const double speed = number < wandering && round == 2 ? 500 : 400;
        journal.contents.runs.push_back(SampleJournal::run(
            SampleJournal::cell("workload" + std::to_string(number), "libtorch:eager"), speed,
            round));
      }
    }
    return journal.report("table");
  };
  EXPECT_NE(report(3).find("speed of this machine changed"), std::string::npos) << report(3);
  EXPECT_NE(report(3).find("typically differ by 16 %"), std::string::npos) << report(3);
  EXPECT_EQ(report(1).find("speed of this machine changed"), std::string::npos) << report(1);
}

TEST(TerminalReport, NeverClaimsToSeeLessThanAHundredthOfAPercent) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 400);
  journal.contents.runs.resize(1);
  Throughput& throughput = journal.contents.runs[0].summary.throughput;
  throughput.interval = {throughput.value * (1 - 1e-9), throughput.value * (1 + 1e-9)};
  const std::string text = journal.report("table");
  EXPECT_NE(text.find("less than 0.01 % from"), std::string::npos) << text;
}

TEST(TerminalReport, TakesTheClockForASelfCheck) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("clock", "clock:spin"), 101);
  for (RunRecord& run : journal.contents.runs) run.trainer["known_throughput"] = 100;
  EXPECT_NE(journal.report("table").find("clock:spin"), std::string::npos) << "alone it is a row";
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 400);
  const std::string text = journal.report("table");
  EXPECT_EQ(text.find("clock:spin"), std::string::npos) << text;
  EXPECT_NE(text.find("measured speed of `clock` is 1 % off its known speed"), std::string::npos)
      << text;
}

TEST(TerminalReport, AnEmptyJournalSaysSo) {
  EXPECT_EQ(SampleJournal().report("table"), "The journal holds no runs.\n");
}

TEST(TerminalReport, HostileNamesAreMadeVisible) {
  SampleJournal journal;
  Cell cell = SampleJournal::cell("res\x1b[31mnet\n\x07", "lib\xfftorch");
  journal.good(cell, 400).failed(SampleJournal::cell("b\rert", "x"), "a\nb", "c\x1b[2J");
  journal.contents.runs[0].verdicts = {{"na\nme", "mess\x1b]0;x\x07age"}};
  journal.contents.skips = {{SampleJournal::cell("s\nkip", "x"), "why\x1b[0m"}};
  for (const char letter : journal.report("table"))
    EXPECT_TRUE(letter == '\n' || static_cast<unsigned char>(letter) >= 0x20) << int(letter);
}

TEST(TerminalReport, MarksThatTurnTheWritingRoundAndLongTextsAreTamed) {
  SampleJournal journal;
  const std::string turned = "a\u202eb\u2066c\u200fd";
  const std::string endless(10'000, 'x');
  journal.good(SampleJournal::cell(turned, endless), 400);
  journal.failed(SampleJournal::cell("bert", "x"), turned, endless);
  journal.contents.runs[0].verdicts = {{turned, endless}, {endless, turned}};
  const std::string text = journal.report("table", Language::en, {100, false, true});
  for (const char* mark : {"\u202e", "\u2066", "\u200f"})
    EXPECT_EQ(text.find(mark), std::string::npos);
  for (const std::string& line : split(text, '\n')) EXPECT_LT(line.size(), 1000u);
}

TEST(TerminalReport, FitsAnEightyColumnTerminal) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager", 128), 400)
      .good(SampleJournal::cell("a-workload-of-a-long-name", "pytorch:compile", 128, "4n8g"),
            11084);
  for (const std::string& line :
       split(journal.report("table", Language::zh, {80, false, true}), '\n'))
    EXPECT_LE(display_width(line), 80u) << line;
}

TEST(TerminalReport, AtEightyColumnsWhatTellsRowsApartSurvivesAndWarningsAreCodes) {
  SampleJournal journal;
  for (const char* framework : {"libtorch:eager", "pytorch:compile"})
    for (const int batch : {8, 16})
      journal.good(SampleJournal::cell("se_resnext50", framework, batch), 10.0 * batch);
  for (RunRecord& run : journal.contents.runs)
    run.verdicts = {{"throttled", "at 70 %"}, {"other-load", "31 %"}, {"outliers", "3 steps"}};
  const std::string text = journal.report("table", Language::en, {80, false, true});
  EXPECT_TRUE(text.starts_with("workload se_resnext50, size full, precision fp32, device cuda, "))
      << text;
  for (const char* part : {"pytorch:compile     16", "T OL O", "T throttled (cells: 4 of 4)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  const std::string wide = journal.report("table");
  EXPECT_NE(wide.find("throttled, other-load, outliers"), std::string::npos) << wide;
}

TEST(TerminalReport, NamesAreShortenedBeforeAFigureGoes) {
  SampleJournal journal;
  const std::string framework = "a framework of a long name, ";
  for (const char* workload : {"resnet50", "mask_rcnn_of_a_long_name"}) {
    for (const char* mode : {"one", "two"}) {
      for (const auto& [precision, scale] : {std::pair("fp32", "1n1g"), {"amp-fp16", "16n8g"}}) {
        Cell cell = SampleJournal::cell(workload, framework + mode, 96, scale, precision);
        cell.size = workload == std::string("resnet50") ? "full" : "another";
        cell.batch = precision == std::string("fp32") ? 96 : 128;
        journal.good(cell, 12345);
      }
    }
  }
  for (const Language language : {Language::en, Language::zh}) {
    for (const std::size_t width : {80, 50}) {  // with 50, some of the keys must go
      const std::string text = journal.report("table", language, {width, false, true});
      std::size_t figures = 0;
      for (const std::string& line : split(text, '\n')) {
        EXPECT_LE(display_width(line), width) << line;
        if (line.find("12349 images/s") != std::string::npos) ++figures;
      }
      EXPECT_EQ(figures, 8u) << text;
    }
  }
}

TEST(TerminalReport, LongLinesBelowTheTableAreBrokenAtTheWidthOfTheTerminal) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager", 128), 400)
      .failed(SampleJournal::cell("bert", "x"), "exit",
              "exit code 1; its last line: a line that is longer than the terminal is wide, and so "
              "has to go on in the next");
  journal.contents.runs[0].verdicts = {
      {"single-run",
       "only one run: the spread between runs is unknown, and the interval does not include it; "
       "measure 3 rounds or more"}};
  journal.contents.skips = {
      {SampleJournal::cell("bert", "jax:jit"),
       "jax is not installed (jax was not found in PATH); to install it: trainmark setup jax"}};
  for (const Language language : {Language::en, Language::zh}) {
    const std::string text = journal.report("table", language, {80, true, true});
    std::istringstream plain(std::regex_replace(text, std::regex("\x1b\\[[0-9]*m"), ""));
    for (std::string line; std::getline(plain, line);) EXPECT_LE(display_width(line), 80u) << line;
  }
}

TEST(TerminalReport, ReasonsAreChineseInAChineseReport) {
  SampleJournal journal;
  journal.failed(SampleJournal::cell("bert", "x"), "exit", "exit code 1; its last line: boom");
  journal.contents.skips = {
      {SampleJournal::cell("bert", "jax:jit"),
       "jax is not installed (jax was not found in PATH); to install it: trainmark setup jax"}};
  const std::string text = journal.report("table", Language::zh);
  EXPECT_NE(text.find("失败：异常退出（退出码 1；最后一行输出：boom）"), std::string::npos) << text;
  EXPECT_NE(text.find("跳过：jax 未安装（在 PATH 中未找到 jax）；安装命令：trainmark setup jax"),
            std::string::npos)
      << text;
}

TEST(TerminalReport, SaysWhoWonBeforeHowSureThatIs) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("bert", "a"), 200).good(SampleJournal::cell("bert", "b"), 100);
  const std::string text = journal.report("table");
  const std::size_t won = text.find("a is fastest on bert: 2.00 × b.");
  EXPECT_LT(won, text.find("1 workload, 2 frameworks;")) << text;
}

}  // namespace
}  // namespace trainmark
