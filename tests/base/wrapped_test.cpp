#include "base/wrapped.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace trainmark {
namespace {

TEST(Wrapped, BreaksAtBlanksAndIndentsWhatFollows) {
  EXPECT_EQ(wrapped("one two three four five six", 26, 4), "one two three four five\n    six");
  EXPECT_EQ(wrapped("one two three four five six", 27, 4), "one two three four five six");
  EXPECT_EQ(wrapped("one two three four five six", 26, 4, 10), "one two three\n    four five six")
      << "ten columns are taken already";
}

TEST(Wrapped, NoLineIsWiderThanAskedInEitherLanguage) {
  const std::string chinese =
      "结果的误差为 ±8.2 %，要求为 ±5 %：3 次运行中有 3 次达到上限而停止；增加轮数或提高 "
      "max_seconds 可缩小误差";
  std::string whole;
  for (const std::string& line : split(wrapped(chinese, 40, 4), '\n')) {
    EXPECT_LE(display_width(line), 40u) << line;
    for (const char* mark : {"，", "：", "；"}) EXPECT_FALSE(trim(line).starts_with(mark)) << line;
    whole += trim(line);
  }
  const auto without_blanks = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  EXPECT_EQ(without_blanks(whole), without_blanks(chinese)) << "nothing is lost";
}

TEST(Wrapped, AFigureKeepsItsPerCentSign) {
  EXPECT_EQ(wrapped("known to within about 8.2 %. More", 27, 4),
            "known to within about\n    8.2 %. More");
}

TEST(Wrapped, LongWordsStayWholeAndNarrowTerminalsAreLeftAlone) {
  EXPECT_EQ(wrapped("look at https://example.org/a/very/long/address there", 30, 2),
            "look at\n  https://example.org/a/very/long/address\n  there");
  EXPECT_EQ(wrapped("one two three four five six", 10, 4), "one two three four five six");
  EXPECT_EQ(wrapped("one two three four five six", 0, 4), "one two three four five six");
  EXPECT_EQ(wrapped("", 30, 4), "");
}

}  // namespace
}  // namespace trainmark
