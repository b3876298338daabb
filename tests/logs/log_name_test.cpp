#include "logs/log_name.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

TEST(LogName, NamesSayWhichLogsAreRunsOfTheSameThing) {
  struct Pair {
    const char* one;
    const char* other;
  };
  for (const auto& [one, other] : std::vector<Pair>{{"a/bert_fp32_1.log", "a/bert_fp32_2.log"},
                                                    {"bert-rank0.log", "bert-rank7.log.gz"},
                                                    {"bert_r11.log", "bert_r2.log"},
                                                    {"bert.run3.txt", "bert.run4.txt"},
                                                    {"run1/train.log", "run2/train.log"},
                                                    {"rank_0.log", "rank_1.log"},
                                                    {"bert-seed_1.log", "bert-seed_42.log"},
                                                    {"trial3/x.log", "trial4/x.log"}}) {
    const LogName first = read_log_name(one);
    const LogName second = read_log_name(other);
    EXPECT_TRUE(first.is_run && second.is_run) << one;
    EXPECT_EQ(first.series, second.series) << one;
  }
}

TEST(LogName, NumbersThatCountSomethingElseAreNoRuns) {
  for (const char* name :
       {"bert_gpu_1.log", "bert_bs_8.log", "bert_gpu8.log",   "resnet_50.log",  "node_4.log",
        "vgg16.log",      "train.log",     "bert_v_2.log",    "1.log",          "torch2.1.log",
        "cuda12.4.log",   "llama-3.1.log", "lr3e-4.log",      "zero_2.log",     "accum_4.log",
        "depth_2.log",    "stage-1.log",   "model-8.log",     "2024-05-01.log", "2024_05_01.log",
        "gpt-2.log",      "overrun1.log",  "adam_beta_1.log", "k_3.log",        "window_7.log",
        "lora_rank8.log", "lora-r16.log",  "yolov_5.log",     "gqa_4.log",      "t_5.log"})
    EXPECT_FALSE(read_log_name(name).is_run) << name;
  EXPECT_NE(read_log_name("a/bert_1.log").series, read_log_name("b/bert_1.log").series);
}

TEST(LogName, TellsMachinesAndPrecisionsApart) {
  const LogName a100 = read_log_name("bert/paddle/a100_amp_bs96_gpu8.log");
  EXPECT_EQ(a100.machine, "a100");
  EXPECT_EQ(a100.precision, "amp");
  EXPECT_EQ(read_log_name("H100/bf16/train.log").machine, "h100");
  EXPECT_EQ(read_log_name("H100/bf16/train.log").precision, "bf16");
  EXPECT_EQ(read_log_name("t5_train.log").machine, "") << "a model, and no T4";
  EXPECT_EQ(read_log_name("/x/v100/1/2/3/train.log").machine, "") << "too far up to mean the log";
}

TEST(LogName, TellsTheNumberOfGpus) {
  for (const auto& [name, gpus] :
       std::vector<std::pair<const char*, int>>{{"p/a100_fp32_gpu32.log", 32},
                                                {"p/bert-8gpus_1.log", 8},
                                                {"p/r50_4n8g.log", 32},
                                                {"1n8g/train.log", 8},
                                                {"p/N1C8.log", 8}})
    EXPECT_EQ(read_log_name(name).gpus, gpus) << name;
  for (const char* name : {"p/train.log", "p/node4_gpu8.log", "p/gpu.log", "p/gpu0x.log"})
    EXPECT_FALSE(read_log_name(name).gpus) << name;
}

TEST(LogName, SizesOfOneThingAreAFamily) {
  EXPECT_EQ(read_log_name("p/a100_fp32_gpu1.log").family,
            read_log_name("p/a100_fp32_gpu8.log").family);
  EXPECT_EQ(read_log_name("1n1g/r50_b128_fp32_1.log").family,
            read_log_name("4n8g/r50_b128_fp32_2.log").family);
  EXPECT_NE(read_log_name("p/a100_fp32_gpu1.log").family,
            read_log_name("p/v100_fp32_gpu8.log").family);
  EXPECT_NE(read_log_name("p/a100_gpu1.log").family, read_log_name("q/a100_gpu8.log").family);
}

TEST(LogName, TheShortestNameTellsPathsApart) {
  const std::set<std::string> all = {"/x/jax/train", "/x/pytorch/train", "/x/pytorch/other"};
  EXPECT_EQ(shortest_name("/x/jax/train", all), "jax/train");
  EXPECT_EQ(shortest_name("/x/pytorch/other", all), "other");
  EXPECT_EQ(shortest_name("train", {"train", "a/train"}), "train");
}

}  // namespace
}  // namespace trainmark
