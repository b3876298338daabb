// What must hold of every workload on a GPU, in every mode and precision that is claimed.

#include "../models/support.h"
#include "engine/precision.h"
#include "support.h"

namespace trainmark::train {
namespace {

/// Of one workload: together they take minutes, and shards can run side by side.
class TrainingOnGpu : public OnGpu, public testing::WithParamInterface<std::string> {
 protected:
  std::vector<float> losses_of(Options options, int steps) {
    options.device = "cuda";
    options.dropout = 0;
    options = resolve(options, describe());
    use_precision(options.precision);
    const std::unique_ptr<Workload> workload = make(options, accelerator);
    Trainer trainer(*workload, options, accelerator);
    std::vector<float> result;
    for (int i = 0; i < steps; ++i) result.push_back(trainer.step().item<float>());
    return result;
  }

  static Options tiny() {
    Options options;
    options.workload = GetParam();
    options.size = "tiny";
    return options;
  }
};

TEST_P(TrainingOnGpu, GivesTheLossesOfTheCpu) {
  Options options = tiny();
  options.dropout = 0;
  const std::vector<float> cpu = losses(resolve(options, describe()), 5);
  const std::vector<float> gpu = losses_of(options, 5);
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    EXPECT_NEAR(gpu[i], cpu[i], 2e-3 * std::abs(cpu[i])) << "step " << i;
  }
}

TEST_P(TrainingOnGpu, GraphsGiveTheLossesOfEagerSteps) {
  for (const char* precision : {"fp32", "amp-fp16", "amp-bf16", "fp16"}) {
    Options options = tiny();
    options.precision = precision;
    const std::vector<float> eager = losses_of(options, 12);
    options.mode = "graph";
    const std::vector<float> graph = losses_of(options, 12);
    for (std::size_t i = 0; i < eager.size(); ++i) {
      const double tolerance = std::string(precision) == "fp32" ? 2e-3 : 0.05;
      EXPECT_NEAR(graph[i], eager[i], tolerance * std::abs(eager[i])) << precision << " step " << i;
    }
  }
}

TEST_P(TrainingOnGpu, LearnsInEveryPrecision) {
  for (const char* precision : {"fp32", "tf32", "amp-fp16", "amp-bf16", "fp16"}) {
    Options options = tiny();
    options.precision = precision;
    options.mode = "graph";
    const std::vector<float> values = losses_of(options, 50);
    EXPECT_LT(values.back(), values.front()) << precision;
    EXPECT_TRUE(std::isfinite(values.back())) << precision;
  }
}

INSTANTIATE_TEST_SUITE_P(All, TrainingOnGpu,
                         testing::ValuesIn(Registry<RegisteredWorkload>::names()),
                         [](const auto& workload) { return workload.param; });

}  // namespace
}  // namespace trainmark::train
