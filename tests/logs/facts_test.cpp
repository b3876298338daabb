#include "logs/facts.h"

#include <gtest/gtest.h>

#include "case_name.h"
#include "made_up_logs.h"

namespace trainmark {
namespace {

std::string fact(const std::string& text, const char* name) {
  FactFinder finder;
  std::size_t number = 0;
  LineReader lines(std::make_unique<PiecewiseSource>(text));
  for (std::string_view line; lines.next(line);) finder.look(line, ++number);
  const Facts facts = finder.take();
  const auto found = facts.find(name);
  return found == facts.end() ? "" : found->second.value;
}

struct Saying {
  const char* text;
  const char* name;
  const char* value;

  friend void PrintTo(const Saying& it, std::ostream* out) { *out << it.name << ": " << it.value; }
};

class Sayings : public testing::TestWithParam<Saying> {};

TEST_P(Sayings, AreUnderstood) {
  EXPECT_EQ(fact(GetParam().text, GetParam().name), GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Sayings,
    testing::Values(
        Saying{"Namespace(batch_size=96, device='gpu')", "batch", "96"},
        Saying{" 'batch_size': 5120,\n 'infer_batch_size': 8,", "batch", "5120"},
        Saying{"batch_size: 1,024", "batch", ""}, Saying{"batch_size: 96,lr: 1", "batch", "96"},
        Saying{"infer_batch_size: 8", "batch", ""}, Saying{"eval_batch_size: 8", "batch", ""},
        Saying{"samples_per_gpu=4, workers_per_gpu=2", "batch", "4"},
        Saying{"batch_size=8\nbatch_size_per_gpu : 4", "batch", "4"},
        Saying{"| max tokens per GPU = 2560 and max sentences per GPU = None", "batch", "2560"},
        Saying{"x INFO:     Eval : \nx INFO:   batch_size : 64\nx INFO:     Train : \n"
               "x INFO:   batch_size : 128\nx INFO: Infer : \nx INFO:   batch_size : 10",
               "batch", "128"},
        Saying{"INFO: TRAIN : \nINFO:     batch_size : 6656", "global_batch", "6656"},
        Saying{"INFO: TRAIN : \nINFO:     batch_size : 6656", "batch", ""},
        Saying{"GPUs used: 32", "gpus", "32"}, Saying{"num_gpus=8", "gpus", "8"},
        Saying{"gpus : [0, 1, 2]  kv_store : horovod", "gpus", "3"},
        Saying{"nanochat.common - INFO - Distributed world size: 8", "gpus", "8"},
        Saying{"Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]", "gpus", "8"},
        Saying{
            "Building device mesh with parallelism: pp=2, dp_replicate=1, dp_shard=4, cp=1, tp=2, "
            "ep=8, etp=1",
            "gpus", "16"},
        Saying{"number of parameters: 10.65M", "parameters", "10650000"},
        Saying{"Number of parameters: 560,988,160", "parameters", "560988160"},
        Saying{"| num_parameters        | 124475904                    |", "parameters",
               "124475904"},
        Saying{"Model llama3 8B size: 8,030,261,248 total parameters", "parameters", "8030261248"},
        Saying{"hyperparameters: lr=0.1", "parameters", ""},
        Saying{"Estimated FLOPs per token: 3.491758e+09", "flops_per_token", "3.491758e+09"},
        Saying{"Peak FLOPS used for computing MFU: 3.120e+14", "peak_flops", "3.120e+14"},
        Saying{"world_size : 8 ", "gpus", "8"}, Saying{"| training on 4 GPUs", "gpus", "4"},
        Saying{"LAUNCH INFO 2024-01-02 03:04:05,1 devices: 0,1,2,3", "per_node", "4"},
        Saying{"python -m torch.distributed.launch --nproc_per_node=8 --nnodes 4", "nodes", "4"},
        Saying{"x communicator.h:205] trainers: 16", "nodes", "16"},
        Saying{"dtype : float16  amp : False", "precision", "fp16"},
        Saying{"fp16=False, amp=True", "precision", "amp"},
        Saying{"'use_amp': False, 'use_pure_fp16': False", "precision", "fp32"},
        Saying{"'use_amp': True, 'use_pure_fp16': True", "precision", "fp16"},
        Saying{"x INFO: Arch : \nx INFO:     name : ResNet50", "model", "ResNet50"},
        Saying{"PARAMETER arch : resnet50  workers : 5", "model", "resnet50"},
        Saying{"PyTorch: 1.6.0a0", "version.pytorch", "1.6.0a0"},
        Saying{"device: 0, cuDNN Version: 8.1.", "version.cudnn", "8.1"}),
    numbered_cases);

TEST(Facts, SayWhereTheyComeFrom) {
  FactFinder finder;
  finder.look("nothing", 1);
  finder.look("GPUs used: 8", 2);
  EXPECT_EQ(finder.take().at("gpus").source, "line 2: GPUs used: 8");
  EXPECT_TRUE(finder.take().empty());
}

}  // namespace
}  // namespace trainmark
