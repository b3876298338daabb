#include "report/writing/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/text.h"

namespace trainmark {
namespace {

Table sample_table() {
  Table table;
  table.columns = {{"name", Align::left, 90, 6},
                   {"rate", Align::right, 100, 0},
                   {"memory", Align::right, 10, 0},
                   {"remarks", Align::left, 50, 5}};
  table.rows = {{"resnet50", "4664.2", "1.25 GiB", "a rather long remark on this row"},
                {"模型", "5.983", "2.00 GiB", ""}};
  return table;
}

std::vector<std::string> lines_of(const Table& table, const TerminalOptions& options) {
  std::ostringstream out;
  write_terminal(table, options, out);
  std::vector<std::string> lines = split(out.str(), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

TEST(Table, ColumnsStandStraightWithWideLetters) {
  const auto lines = lines_of(sample_table(), {});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2], "resnet50  4664.2  1.25 GiB  a rather long remark on this row");
  EXPECT_EQ(lines[3], "模型       5.983  2.00 GiB") << "no blanks at the end";
}

TEST(Table, FitsAnyWidth) {
  for (std::size_t width = 1; width < 80; ++width) {
    for (const std::string& line : lines_of(sample_table(), {width, false, true}))
      EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(Table, ShortensBeforeItDrops) {
  const auto lines = lines_of(sample_table(), {40, false, true});
  EXPECT_NE(lines[0].find("memory"), std::string::npos);
  EXPECT_NE(lines[2].find("…"), std::string::npos);
}

TEST(Table, TheLeastImportantColumnGoesFirst) {
  const auto lines = lines_of(sample_table(), {25, false, true});
  EXPECT_EQ(lines[0].find("memory"), std::string::npos);
  EXPECT_NE(lines[0].find("rate"), std::string::npos);
  EXPECT_NE(lines[0].find("remar"), std::string::npos);
}

TEST(Table, ColourOnlyWhereAllowed) {
  Table table = sample_table();
  table.rows[0][1].tone = Tone::bad;
  for (const std::string& line : lines_of(table, {}))
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  const auto lines = lines_of(table, {0, true, true});
  EXPECT_NE(lines[2].find("\x1b[31m4664.2\x1b[0m"), std::string::npos);
}

TEST(Table, PlainLettersOnlyWhereAsked) {
  Table table = sample_table();
  table.rows.pop_back();
  for (const std::string& line : lines_of(table, {30, false, false})) {
    for (const char letter : line) EXPECT_LT(static_cast<unsigned char>(letter), 0x80) << line;
  }
}

TEST(Table, ControlCharactersNeverReachTheTerminal) {
  Table table = sample_table();
  table.rows[0][0].text = "\x1b]0;owned\x07\nnext line\xff";
  const auto lines = lines_of(table, {});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2].find('\x1b'), std::string::npos);
  EXPECT_EQ(lines[2].find('\x07'), std::string::npos);
}

TEST(Table, MarkdownKeepsHostileTextInItsCell) {
  Table table = sample_table();
  table.rows[0][0].text = "a|b<script>&`x`\n| c |";
  table.rows[0][1].note = "BS=96";
  std::ostringstream out;
  write_markdown(table, out);
  EXPECT_EQ(out.str(),
            "\n| name | rate | memory | remarks |\n|:--|--:|--:|:--|\n"
            "| a\\|b&lt;script&gt;&amp;\\`x\\` \\| c \\| | 4664.2<sup>[BS=96]</sup> | 1.25 GiB | a "
            "rather long remark on this row |\n| 模型 | 5.983 | 2.00 GiB |  |\n\n");
}

TEST(Table, ShortenedCountsColumnsNotBytes) {
  EXPECT_EQ(shortened("模型名称", 8, true), "模型名称");
  EXPECT_EQ(shortened("模型名称", 7, true), "模型名…");
  EXPECT_EQ(shortened("模型名称", 6, true), "模型…");
  EXPECT_EQ(shortened("abcdef", 4, false), "abc~");
  EXPECT_EQ(shortened("abcdef", 0, true), "");
}

}  // namespace
}  // namespace trainmark
