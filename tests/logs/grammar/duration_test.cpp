#include "logs/grammar/duration.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

TEST(Milliseconds, AreThoseOfNothingElse) {
  for (const char* text : {"250 ms", "250ms | loss 1", "250 ms, 4 GPUs"}) {
    Cursor line(text);
    double seconds = 0;
    EXPECT_TRUE(take_milliseconds(line, seconds)) << text;
    EXPECT_EQ(seconds, 0.25) << text;
  }
  for (const char* text : {"250 ms/image", "250 msgs", "250 ms_total", "250 s", "ms 250"}) {
    Cursor line(text);
    double seconds = 0;
    EXPECT_FALSE(take_milliseconds(line, seconds)) << text;
    EXPECT_EQ(line.place(), 0U) << text;
  }
}

}  // namespace
}  // namespace trainmark
