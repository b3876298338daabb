#include "report/words/words.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

std::string chinese(std::string_view message) {
  return detail_in(Language::zh, message);
}

TEST(Details, AreTranslatedWithTheirFigures) {
  EXPECT_EQ(chinese("batch size unknown, assuming 1"), "批大小未知，按 1 计");
  EXPECT_EQ(chinese("steps became 3.0 % longer over the window of 40 steps"),
            "在 40 步的窗口内，单步耗时增加了 3.0 %");
  EXPECT_EQ(chinese("4 of 12 cores were slowed down by heat"), "12 个核中有 4 个因过热降频")
      << "the two languages have another order";
}

TEST(Details, PartsAreTranslatedToo) {
  EXPECT_EQ(chinese("the step time was still changing after 20 steps; a figure needs about 1 more "
                    "step"),
            "20 步后单步耗时仍在变化；还需约 1 步才能得出结果");
  EXPECT_EQ(chinese("the first run is 5.0 % slower than the others: caches, compilation or "
                    "downloads may be included; measure again (in 2 of 3 runs)"),
            "第一次运行比其余各次慢 5.0 %：可能包含缓存、编译或下载；请重新测量（3 次运行中有 2 "
            "次）");
}

TEST(Details, WhatIsNotKnownStaysAsItIs) {
  for (const std::string_view text :
       {"", "CUDA error: {0}", "batch size unknown, assuming 12", "steps became longer",
        "of 12 cores were slowed down by heat"})
    EXPECT_EQ(chinese(text), text);
}

TEST(Details, EnglishReportsQuoteTheJournal) {
  EXPECT_EQ(detail_in(Language::en, "batch size unknown, assuming 1"),
            "batch size unknown, assuming 1");
}

}  // namespace
}  // namespace trainmark
