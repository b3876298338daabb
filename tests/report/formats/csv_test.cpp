#include <gtest/gtest.h>

#include "base/text.h"
#include "report/sample_journal.h"

namespace trainmark {
namespace {

/// The fields of the first result, by the name of their column; a plain reader of RFC 4180.
std::map<std::string, std::string> first_line(const std::string& csv) {
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char letter = csv[i];
    std::string& field = lines.back().back();
    if (quoted && letter == '"' && i + 1 < csv.size() && csv[i + 1] == '"')
      field += csv[++i];
    else if (letter == '"')
      quoted = !quoted;
    else if (!quoted && letter == ',')
      lines.back().emplace_back();
    else if (!quoted && letter == '\n')
      lines.emplace_back(1);
    else
      field += letter;
  }
  std::map<std::string, std::string> fields;
  EXPECT_EQ(lines.at(0).size(), lines.at(1).size());
  for (std::size_t i = 0; i < lines[0].size(); ++i) fields[lines[0][i]] = lines[1].at(i);
  return fields;
}

TEST(CsvReport, OneLineAResult) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager", 128), 400);
  journal.contents.runs[0].verdicts = {{"outliers", "3"}, {"drift", "slow"}};
  const auto fields = first_line(journal.report("csv"));
  EXPECT_EQ(fields.at("workload"), "resnet50");
  EXPECT_EQ(fields.at("batch"), "128");
  EXPECT_EQ(fields.at("ranks"), "1");
  EXPECT_EQ(fields.at("status"), "ok");
  EXPECT_EQ(fields.at("median"), "400");
  EXPECT_EQ(fields.at("runs"), "3");
  EXPECT_EQ(fields.at("speedup"), "1");
  EXPECT_EQ(fields.at("step_seconds"), "0.32");
  EXPECT_EQ(fields.at("peak_host_bytes"), "2147483648");
  EXPECT_EQ(fields.at("verdicts"), "outliers;drift");
  EXPECT_EQ(fields.at("failure"), "");
}

TEST(CsvReport, HasTheBoundsOfTheInterval) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager", 128), 400);
  const Interval interval = results_of(journal.contents).at(0).throughput.interval;
  const auto fields = first_line(journal.report("csv"));
  EXPECT_EQ(fields.at("low"), fmt::format("{}", interval.low));
  EXPECT_EQ(fields.at("high"), fmt::format("{}", interval.high));
  EXPECT_LT(std::stod(fields.at("low")), std::stod(fields.at("throughput")));
  EXPECT_GT(std::stod(fields.at("high")), std::stod(fields.at("throughput")));
}

TEST(CsvReport, AFailedCellHasNoFigures) {
  SampleJournal journal;
  journal.failed(SampleJournal::cell("bert", "x"), "timeout", "after 60 s, \"at last\"");
  const auto fields = first_line(journal.report("csv"));
  EXPECT_EQ(fields.at("status"), "failed");
  for (const char* figure : {"throughput", "low", "high", "average", "median"})
    EXPECT_EQ(fields.at(figure), "") << figure;
  EXPECT_EQ(fields.at("failure"), "timeout");
  EXPECT_EQ(fields.at("reason"), "after 60 s, \"at last\"");
}

TEST(CsvReport, NoTextBecomesAFormula) {
  for (const char* text : {"=1+1", "+cmd", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "\n=1",
                           "＝1+1", "＋1", "－1", "＠SUM(A1)"}) {
    SampleJournal journal;
    journal.failed(SampleJournal::cell("bert", "x"), "exit", text);
    EXPECT_EQ(first_line(journal.report("csv")).at("reason"), std::string("'") + text);
  }
  SampleJournal journal;
  journal.failed(SampleJournal::cell("bert", "x"), "exit", "-12.5");
  EXPECT_EQ(first_line(journal.report("csv")).at("reason"), "-12.5") << "a number is no formula";
}

TEST(CsvReport, LineEndsAndControlCharacters) {
  SampleJournal journal;
  journal.failed(SampleJournal::cell("bert", "x"), "exit", "one\ntwo\x1b[0m");
  EXPECT_EQ(first_line(journal.report("csv")).at("reason"), "one\ntwo?[0m");
}

}  // namespace
}  // namespace trainmark
