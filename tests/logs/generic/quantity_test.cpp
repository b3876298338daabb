#include "logs/generic/quantity.h"

#include <gtest/gtest.h>

#include "logs/generic/quantity_words.h"

namespace trainmark {
namespace {

struct Behind {
  const char* text;
  QuantityKind kind;
  double value;  // of the number 50
  const char* items = "";
};

TEST(Quantity, IsSaidBehindANumber) {
  using enum QuantityKind;
  for (const Behind& expected :
       std::initializer_list<Behind>{{" samples/s", item_rate, 50, "samples/s"},
                                     {" samples/sec.", item_rate, 50, "samples/s"},
                                     {"img/sec", item_rate, 50, "images/s"},
                                     {"k tok/s", item_rate, 50e3, "tokens/s"},
                                     {"M tokens/s", item_rate, 50e6, "tokens/s"},
                                     {"ktok/s", item_rate, 50e3, "tokens/s"},
                                     {"/s", item_rate, 50, "items/s"},
                                     {" seq/min", item_rate, 50.0 / 60, "sequences/s"},
                                     {" images/day", item_rate, 50.0 / 86400, "images/s"},
                                     {" k tokens/s | mfu", item_rate, 50e3, "tokens/s"},
                                     {" M tok/s", item_rate, 50e6, "tokens/s"},
                                     {" k 5 tokens/s", plain, 50},
                                     {"it/s]", step_seconds, 0.02},
                                     {" steps/s", step_seconds, 0.02},
                                     {"s/it", step_seconds, 50},
                                     {"ms/step - loss", step_seconds, 0.05},
                                     {" tokens/s/GPU", item_rate, 50, "tokens/s"},
                                     {" tokens/gpu/s", item_rate, 50, "tokens/s"},
                                     {" img/sec per GPU", item_rate, 50, "images/s"},
                                     {" words/s : gNorm 1.2", item_rate, 50, "words/s"},
                                     {" samples per second", item_rate, 50, "samples/s"},
                                     {" tokens per sec per GPU", item_rate, 50, "tokens/s"},
                                     {" tok/s/dev", item_rate, 50, "tokens/s"},
                                     {" iterations per second", step_seconds, 0.02},
                                     {" seconds per step", step_seconds, 50},
                                     {"ms per iteration", step_seconds, 0.05},
                                     {" images per GPU", plain, 50},
                                     {" samples per step", plain, 50},
                                     {" ms/micro_step", step_seconds, 0.05},
                                     {"s elapsed", seconds, 50},
                                     {"min left", other, 50},
                                     {"s for 10 steps", seconds, 50},
                                     {" s per 10 steps", seconds, 50},
                                     {" s per GPU", seconds, 50},
                                     {" seconds per epoch", epoch_seconds, 50},
                                     {" us per token", item_seconds, 50e-6, "tokens/s"},
                                     {"us/sample", item_seconds, 50e-6, "samples/s"},
                                     {"s/epoch", epoch_seconds, 50},
                                     {"s | Acc", seconds, 50},
                                     {" ms, mfu", seconds, 0.05},
                                     {"\xC2\xB5s", seconds, 50e-6},
                                     {"%|", other, 50},
                                     {"G ", other, 50},
                                     {" MB/s eta", other, 50},
                                     {"GiB(71%)", other, 50},
                                     {" time 0.35", plain, 50},
                                     {" sec: 0.35", plain, 50},  // the name of the next field
                                     {" samples/s : 0.35", plain, 50},
                                     {"/5005]", plain, 50},
                                     {"", plain, 50}}) {
    const Quantity quantity = quantity_behind(expected.text);
    EXPECT_EQ(quantity.kind, expected.kind) << expected.text;
    if (quantity.kind != other) {
      EXPECT_DOUBLE_EQ(quantity.value_of(50), expected.value) << expected.text;
    }
    EXPECT_EQ(quantity.items, expected.items) << expected.text;
  }
}

TEST(Quantity, IsSaidInFrontOfANumber) {
  using enum QuantityKind;
  for (const Behind& expected :
       std::initializer_list<Behind>{{"samples_per_second", item_rate, 50, "samples/s"},
                                     {"currsamplespersec", item_rate, 50, "samples/s"},
                                     {"tokens_per_gpu_per_sec", item_rate, 50, "tokens/s"},
                                     {"train_steps_per_second", step_seconds, 0.02},
                                     {"global_step/sec", step_seconds, 0.02},
                                     {"tok/sec", item_rate, 50, "tokens/s"},
                                     {"tokens/s/device", item_rate, 50, "tokens/s"},
                                     {"tokens/gpu/s", item_rate, 50, "tokens/s"},
                                     {"tps", item_rate, 50, "tokens/s"},
                                     {"ktokens_per_sec", item_rate, 50e3, "tokens/s"},
                                     {"ktokens_per_gpu_per_sec", item_rate, 50e3, "tokens/s"},
                                     {"kilo_samples_per_second", item_rate, 50e3, "samples/s"},
                                     {"million_tokens_per_sec", item_rate, 50e6, "tokens/s"},
                                     {"mtokens_per_sec", item_rate, 50e6, "tokens/s"},
                                     {"m_tokens_per_sec", other, 50},
                                     {"mean_tokens_per_sec", item_rate, 50, "tokens/s"},
                                     {"tasktokens_per_sec", item_rate, 50, "tokens/s"},
                                     {"ktok/s", item_rate, 50e3, "tokens/s"},
                                     {"throughput (k tokens/s)", item_rate, 50e3, "tokens/s"},
                                     {"tokens/s (k)", item_rate, 50e3, "tokens/s"},
                                     {"tokens/s (m)", other, 50},
                                     {"time/s", seconds, 50},
                                     {"time/ms", seconds, 0.05},
                                     {"step_time/sec", seconds, 50},
                                     {"duration/min", seconds, 3000},
                                     {"elapsed_hours", seconds, 180000},
                                     {"total time (hours)", seconds, 180000},
                                     {"wall_hr", seconds, 180000},
                                     {"elapsed_h", seconds, 180000},
                                     {"hours", seconds, 180000},
                                     {"elapsed_days", seconds, 50 * 86400},
                                     {"gpu_hours", plain, 50},  // of all GPUs together
                                     {"tgs", item_rate, 50, "tokens/s"},
                                     {"ips", item_rate, 50, "items/s"},
                                     {"elapsed time per iteration (ms)", seconds, 0.05},
                                     {"dt", seconds, 50},
                                     {"train_step_timing in s", seconds, 50},
                                     {"time", seconds, 50},
                                     {"batch_cost", seconds, 50},
                                     {"tflops", other, 50},
                                     {"loss", plain, 50},
                                     {"sec/", plain, 50},  // sec/10 steps: 2.5
                                     {"cost", plain, 50},  // as often a loss as a time
                                     {"lr", plain, 50}}) {
    const Quantity quantity = quantity_in_front(expected.text);
    EXPECT_EQ(quantity.kind, expected.kind) << expected.text;
    if (quantity.kind != other) {
      EXPECT_DOUBLE_EQ(quantity.value_of(50), expected.value) << expected.text;
    }
    EXPECT_EQ(quantity.items, expected.items) << expected.text;
  }
}

TEST(Quantity, SomeNamesSayThatARateIsThatOfOneDevice) {
  for (const char* words : {"tokens/s/device", "samples/s/GPU", "tokens_per_second_per_gpu",
                            " img/sec per GPU", "TGS", "tok/s/dev"})
    EXPECT_TRUE(is_of_device(words)) << words;
  for (const char* words : {"tokens/s", "gpu", "rank", "device"})
    EXPECT_FALSE(is_of_device(words)) << words;
}

TEST(Quantity, ATimeOverItsUnitIsNotSaidToBeThatOfAStep) {
  for (const char* words : {"time/step", "time/train_step", "step_time/s"})
    EXPECT_TRUE(is_of_step(words)) << words;
  for (const char* words : {"time/s", "elapsed_time/ms"}) EXPECT_FALSE(is_of_step(words)) << words;
}

TEST(Quantity, PartsOfAStepAndOtherPhasesAreNotItsTime) {
  for (const char* words :
       {"data_time", "reader_cost", "eta", "val_time", "forward", "last_time", "opt"})
    EXPECT_TRUE(is_part_or_other_phase(words)) << words;
  for (const char* words : {"time", "step_time", "batch_cost", "train_time", "dt"})
    EXPECT_FALSE(is_part_or_other_phase(words)) << words;
}

}  // namespace
}  // namespace trainmark
