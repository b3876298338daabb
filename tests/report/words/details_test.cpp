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

TEST(Details, ReasonsOfFailuresAndSkipsAreTranslated) {
  EXPECT_EQ(chinese("libtorch trains bert on synthetic data only"),
            "libtorch 只能用合成数据训练 bert");
  EXPECT_EQ(chinese("rank 3 on gpu07: ended by SIGKILL (Killed); not sent by trainmark: the "
                    "machine may have run out of memory; its last line: epoch 4"),
            "进程 3（gpu07）：被 SIGKILL (Killed) 终止；并非由 trainmark "
            "发出：机器可能内存不足；最后一行输出：epoch 4");
  EXPECT_EQ(
      chinese("not finished within 10 min (12 steps done; rank 1 did only 4 of them); raise "
              "'time_limit' if it needs longer"),
      "未在 10 min 内完成（已完成 12 步；进程 1 只完成 4 步）；如需更长时间请提高 time_limit");
  EXPECT_EQ(chinese("the command of mine needs a batch; write it into the matrix"),
            "mine 的命令需要批大小；请写入 matrix");
}

TEST(Details, NamesInReasonsStayAsTheyAre) {
  EXPECT_EQ(chinese("jax has no workload clock"), "jax 没有模型 clock");
  EXPECT_EQ(label_in(Language::zh, "clock"), "频率：");
  EXPECT_EQ(label_in(Language::en, "clock"), "clock: ");
  EXPECT_EQ(label_in(Language::zh, "of another version"), "of another version: ");
}

TEST(Details, WhatTheProofsSayIsTranslated) {
  EXPECT_EQ(chinese("the gradient of layer1.weight by 2.0e-03 (at most 1e-04): the backward pass"),
            "layer1.weight 的梯度相差 2.0e-03（容差 1e-04）：反向计算");
  EXPECT_EQ(chinese("it reported 19 losses, the reference 20"), "报告了 19 个损失，参照为 20 个");
}

TEST(Details, WhatHeldAGpuBackIsTranslated) {
  EXPECT_EQ(chinese("GPU 0 was throttled while busy: power cap 67 %; mean SM clock 1905 of 1980 "
                    "MHz"),
            "GPU 0 在繁忙时被限频：功耗上限 67 %；SM 平均频率 1905 MHz，最高 1980 MHz");
  EXPECT_EQ(chinese("GPU 1 was throttled while busy: power cap 67 %, thermal slowdown (driver) 8 "
                    "%"),
            "GPU 1 在繁忙时被限频：功耗上限 67 %，过热降频（驱动） 8 %");
}

TEST(Details, FactsOfTheMachineAreTranslatedPieceByPiece) {
  const auto fact = [](std::string_view value) { return fact_in(Language::zh, value); };
  EXPECT_EQ(fact("base 2450 MHz, max 3200 MHz, now 2596 MHz, governor performance"),
            "基准 2450 MHz，最高 3200 MHz，当前 2596 MHz，调频策略 performance");
  EXPECT_EQ(fact("NVIDIA H200, 140 GiB, MIG on, ECC off, in use by 2 processes"),
            "NVIDIA H200，140 GiB，MIG 已启用，ECC 已关闭，正被 2 个进程使用");
  EXPECT_EQ(fact("avx2, avx512f"), "avx2, avx512f") << "names stay as they are";
  EXPECT_EQ(fact_in(Language::en, "MIG on"), "MIG on");
}

TEST(Details, WhatIsDamagedInAJournalIsTranslated) {
  EXPECT_EQ(chinese("results/a/journal.jsonl:7: a damaged record"),
            "results/a/journal.jsonl:7：记录已损坏");
}

TEST(Details, TheMeanOfRecordsSaysWhichFigureIsUsed) {
  EXPECT_EQ(chinese("items ÷ time of these records is 90, the mean of their rates 100 (+11.1 %): "
                    "some are far slower than the rest. The figure is the first"),
            "这些记录的样本数÷时间为 90，速率均值为 100（+11.1 %）：部分记录远慢于其余记录；"
            "结果采用样本数÷时间");
}

TEST(Details, MessagesOfOlderJournalsAreStillKnown) {
  for (const char* text : {"the trainer used its own resolution, but the cell specifies 224",
                           "the trainer used resolution of its own, but the cell specifies 224"})
    EXPECT_EQ(chinese(text), "训练程序使用了自身的分辨率，测试项要求 224");
  for (const char* text : {"cpu.limit_cores is 0.5 on c, elsewhere missing",
                           "cpu.limit_cores is 0.5 on c, elsewhere not there"})
    EXPECT_EQ(chinese(text), "cpu.limit_cores 为 0.5 on c，其余节点为 （无）");
}

TEST(Details, WhatIsNotKnownStaysAsItIs) {
  for (const std::string_view text :
       {"", "CUDA error: {0}", "batch size unknown, assuming 12", "batch of ours",
        "steps became longer", "of 12 cores were slowed down by heat"})
    EXPECT_EQ(chinese(text), text);
}

TEST(Details, EnglishReportsQuoteTheJournal) {
  EXPECT_EQ(detail_in(Language::en, "batch size unknown, assuming 1"),
            "batch size unknown, assuming 1");
}

}  // namespace
}  // namespace trainmark
