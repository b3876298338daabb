#include "report/writing/markdown_text.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace trainmark {
namespace {

TEST(MarkdownText, NothingIsTakenForMarkup) {
  EXPECT_EQ(markdown_text("a|b"), "a\\|b");
  EXPECT_EQ(markdown_text("<b>&"), "&lt;b&gt;&amp;");
  EXPECT_EQ(markdown_text("`x`"), "\\`x\\`");
  EXPECT_EQ(markdown_text("[x](http://y)"), "\\[x\\](http://y)");
  EXPECT_EQ(markdown_text("one\ntwo"), "one two");
  EXPECT_EQ(markdown_text("memory_format _x_"), "memory_format \\_x\\_");
  EXPECT_EQ(markdown_text("# owned"), "\\# owned");
  EXPECT_EQ(markdown_text("- owned"), "\\- owned");
  EXPECT_EQ(markdown_text("-"), "-");
  EXPECT_LE(markdown_text(std::string(5000, 'x')).size(), 400u);
}

TEST(MarkdownText, CodeThatCannotBeCodeIsText) {
  EXPECT_EQ(markdown_code("images/s"), "`images/s`");
  EXPECT_EQ(markdown_code("a`b"), "a\\`b");
  EXPECT_EQ(markdown_code("a|b"), "a\\|b");
}

TEST(MarkdownText, NoLineEndsACodeBlock) {
  EXPECT_EQ(markdown_block("a: 1", "yaml"), "```yaml\na: 1\n```\n");
  EXPECT_EQ(markdown_block("```\nx\n````\n"), "`````\n```\nx\n````\n`````\n");
  EXPECT_EQ(markdown_block("a\x1b[0m\n\tb"), "```\na?[0m\n\tb\n```\n");
}

TEST(MarkdownText, LinksStayOnThePage) {
  EXPECT_EQ(markdown_link("r1", "runs/0001-a"), "[r1](./runs/0001-a)");
  EXPECT_EQ(markdown_link("r1", "javascript:alert(1)"), "[r1](./javascript%3Aalert%281%29)");
  EXPECT_EQ(markdown_link("r1", "//evil.example"), "[r1](.///evil.example)");
}

TEST(MarkdownText, AnchorsAsViewersMakeThem) {
  EXPECT_EQ(markdown_anchor("1. What was tested"), "#1-what-was-tested");
  EXPECT_EQ(markdown_anchor("一、测试说明"), "#一测试说明");
}

TEST(SafeText, KeepsWhatItIsToldToKeep) {
  EXPECT_EQ(safe_text("a\nb\x07", "\n"), "a\nb?");
  EXPECT_EQ(safe_text("", "\n"), "");
  EXPECT_EQ(safe_text("\n\n", "\n"), "\n\n");
  const std::string lines(3000, '\n');
  EXPECT_EQ(safe_text(lines, "\n"), lines);
}

}  // namespace
}  // namespace trainmark
