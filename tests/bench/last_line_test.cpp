#include "bench/last_line.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

std::string last_of(const std::vector<std::string>& pieces) {
  LastLine line;
  for (const std::string& piece : pieces) line.feed(piece);
  return line.text();
}

TEST(LastLine, IsTheLastThatSaysSomething) {
  EXPECT_EQ(last_of({}), "");
  EXPECT_EQ(last_of({"\n\n"}), "");
  EXPECT_EQ(last_of({"Traceback:\n  x = f()\n      ^^^\nValueError: no\n", "\n----\n"}),
            "ValueError: no");
  EXPECT_EQ(last_of({"first\nsec", "ond", "\n"}), "second");
  EXPECT_EQ(last_of({"first\nwithout an end"}), "without an end");
  EXPECT_EQ(last_of({"10 %\r20 %\r\n"}), "20 %");
  EXPECT_EQ(last_of({"内存不足\n"}), "内存不足");
}

TEST(LastLine, IsBounded) {
  LastLine line;
  for (int i = 0; i < 1000; ++i) line.feed(std::string(10'000, 'a'));
  EXPECT_LE(line.text().size(), 4096U);
  line.feed("\nb\n");
  EXPECT_EQ(line.text(), "b");
}

}  // namespace
}  // namespace trainmark
