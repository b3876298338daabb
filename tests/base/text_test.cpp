#include "base/text.h"

#include <gtest/gtest.h>

#include <limits>

namespace trainmark {
namespace {

TEST(Counted, HasThePluralOfAllButOne) {
  EXPECT_EQ(counted(0, "cell"), "0 cells");
  EXPECT_EQ(counted(1, "cell"), "1 cell");
  EXPECT_EQ(counted(2, "more round"), "2 more rounds");
}

TEST(Nearest, Table) {
  const std::vector<std::string> known = {"resnet50", "bert", "gpt2", "vgg16"};
  const struct {
    const char* wrong;
    const char* expected;
  } cases[] = {{"resnet", "resnet50"},
               {"resnte50", "resnet50"},
               {"ResNet50", "resnet50"},
               {"bret", "bert"},
               {"gtp2", "gpt2"},
               {"transformer", ""},
               {"", ""},
               {"x", ""},
               {"resnet5000000000", ""}};
  for (const auto& one : cases) EXPECT_EQ(nearest(one.wrong, known), one.expected) << one.wrong;
  EXPECT_EQ(nearest("bert", {}), "");
}

TEST(Suggest, NamesTheNearestOrAll) {
  EXPECT_EQ(suggest("bret", {"bert", "gpt2"}), "did you mean 'bert'?");
  EXPECT_EQ(suggest("nothing", {"bert", "gpt2"}), "known: bert, gpt2");
  EXPECT_EQ(suggest("nothing", {}), "known: none");
}

TEST(GlobMatch, Table) {
  const struct {
    const char* pattern;
    const char* text;
    bool matches;
  } cases[] = {{"", "", true},     {"", "a", false},          {"*", "", true},
               {"*", "abc", true}, {"a*c", "abbc", true},     {"a*c", "abb", false},
               {"?", "a", true},   {"?", "", false},          {"?", "é", true},
               {"??", "é", false}, {"*é", "caf\u00e9", true}, {"*a*b", "xaxbxb", true},
               {"**", "x", true},  {"a", "A", false},         {"*/fp32/*", "x/fp32/b1", true}};
  for (const auto& one : cases) {
    EXPECT_EQ(glob_match(one.pattern, one.text), one.matches) << one.pattern << " " << one.text;
  }
  // Must not take exponential time.
  EXPECT_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(SplitJoinTrim, Table) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(split("a,,b", ','), (Parts{"a", "", "b"}));
  EXPECT_EQ(split("", ','), Parts{""});
  EXPECT_EQ(split(",", ','), (Parts{"", ""}));
  EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(trim(" \t a b \n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Printable, KeepsTextAndDropsTricks) {
  EXPECT_EQ(printable("plain"), "plain");
  EXPECT_EQ(printable("深度学习 é"), "深度学习 é");
  EXPECT_EQ(printable("a\nb\x1b[31m\x7f"), "a?b?[31m?");
  EXPECT_EQ(printable("\xff\xc3"), "??");
  EXPECT_EQ(printable("\xc0\xaf"), "??");       // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");  // half of a surrogate pair
  EXPECT_EQ(printable("a\u202eb"), "a?b");      // would turn the rest around
  EXPECT_EQ(printable("\u0085"), "?");
  EXPECT_EQ(printable("abcdef", 3), "abc");
  EXPECT_EQ(printable("aéé", 4), "aé");  // no half characters
  EXPECT_EQ(printable("abc", 0), "");
}

TEST(ShellLine, CanBePasted) {
  EXPECT_EQ(shell_line({"train", "--batch=16", "a b"}), "train --batch=16 'a b'");
  EXPECT_EQ(shell_line({"it's", ""}), "'it'\\''s' ''");
  EXPECT_EQ(shell_line({"A=1", "A=1"}), "'A=1' A=1");
  EXPECT_EQ(shell_line({"x", "a\n1'\\"}), "x $'a\\0121\\'\\\\'");
  EXPECT_EQ(shell_line({"~", "$HOME", "*"}), "'~' '$HOME' '*'");
  EXPECT_EQ(shell_line({"a\u202Eb", "\xFF"}), "$'a\\342\\200\\256b' $'\\377'");
  EXPECT_EQ(shell_line({}), "");
}

TEST(DisplayWidth, Table) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("框架"), 4U);
  EXPECT_EQ(display_width("é"), 1U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("ａ"), 2U);
  EXPECT_EQ(display_width("\xff"), 1U);
  EXPECT_EQ(display_width(""), 0U);
}

TEST(Figure, FourToSixDigits) {
  const struct {
    double value;
    const char* expected;
  } cases[] = {{0.01234, "0.01234"}, {5.983, "5.983"},     {4664.2, "4664.2"},
               {29525, "29525"},     {325.19, "325.2"},    {9.99996, "10.00"},
               {999.96, "1000.0"},   {9999.97, "10000"},   {0, "0"},
               {-5.983, "-5.983"},   {1234567, "1234567"}, {1e-9, "1.000e-09"},
               {3e15, "3.000e+15"},  {1, "1.000"}};
  for (const auto& one : cases) EXPECT_EQ(figure(one.value), one.expected);
  EXPECT_EQ(figure(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(figure(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Text, HalfWidths) {
  EXPECT_EQ(half_width_text(0.00423), "±0.42 %");
  EXPECT_EQ(half_width_text(0.27, false), "+-27 %");
  EXPECT_EQ(half_width_text(0.994), "±99 %");
  EXPECT_EQ(half_width_text(0.998), "±100 %");
  EXPECT_EQ(half_width_text(0.0996), "±10 %");
  EXPECT_EQ(half_width_text(5.8), "> 100 %");
  EXPECT_EQ(half_width_text(std::numeric_limits<double>::infinity(), false), "> 100 %");
  EXPECT_EQ(half_width_text(7.4e-7), "< 0.01 %");
  EXPECT_EQ(half_width_text(0.0001), "±0.01 %");
}

TEST(DurationText, Table) {
  const struct {
    double seconds;
    const char* expected;
  } cases[] = {{0, "0 s"},           {12e-6, "12 µs"},    {1.5e-3, "1.5 ms"},
               {0.85, "850 ms"},     {0.9997, "1.0 s"},   {12.34, "12.3 s"},
               {59.97, "1 min 0 s"}, {250, "4 min 10 s"}, {3599.7, "1 h 0 min"},
               {7500, "2 h 5 min"},  {-2, "-2.0 s"},      {1e300, "1.000e+300 s"}};
  for (const auto& one : cases) EXPECT_EQ(duration_text(one.seconds), one.expected);
  EXPECT_EQ(duration_text(std::numeric_limits<double>::quiet_NaN()), "nan s");
}

}  // namespace
}  // namespace trainmark
