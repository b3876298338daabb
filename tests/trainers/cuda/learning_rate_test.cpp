// A recorded step does with each replay what the learning rate of that moment says.

#include <ATen/ops/cat.h>

#include "../models/support.h"
#include "engine/precision.h"
#include "support.h"

namespace trainmark::train {
namespace {

class LearningRateOnGpu : public OnGpu, public testing::WithParamInterface<std::string> {
 protected:
  static Options recorded(const std::string& precision) {
    Options options;
    options.workload = GetParam();
    options.size = "tiny";
    options.precision = precision;
    options.device = "cuda";
    options.mode = "graph";
    return resolve(options, describe());
  }
};

/// The weights that collect small steps: those behind what is in half precision, where there are.
at::Tensor weights_of(Trainer& trainer) {
  std::vector<at::Tensor> masters, weights;
  for (const auto& [name, tensor] : trainer.state()) {
    const at::Tensor flat = tensor.detach().to(at::kDouble).flatten();
    if (name.find(".master.") != std::string::npos) masters.push_back(flat);
    if (name.starts_with("weight.")) weights.push_back(flat);
  }
  return at::cat(masters.empty() ? weights : masters);
}

/// How far a step goes. One whose scaled gradients overflow goes nowhere, and is done again.
double length_of_step(Trainer& trainer, double rate) {
  constexpr int most_tries = 20;
  trainer.set_learning_rate(rate);
  double length = 0;
  for (int i = 0; i < (rate == 0 ? 1 : most_tries) && length == 0; ++i) {
    const at::Tensor before = weights_of(trainer);
    trainer.step();
    length = (weights_of(trainer) - before).norm().item<double>();
  }
  return length;
}

TEST_P(LearningRateOnGpu, ChangesWhatARecordedStepDoes) {
  for (const char* precision : {"fp32", "amp-fp16", "fp16"}) {
    SCOPED_TRACE(precision);
    const Options options = recorded(precision);
    use_precision(precision);
    const std::unique_ptr<Workload> workload = make(options, accelerator);
    Trainer trainer(*workload, options, accelerator);
    constexpr double rate = 1e-4;
    trainer.set_learning_rate(rate);
    for (int i = 0; i <= Trainer::steps_before_recording; ++i) trainer.step();
    EXPECT_EQ(length_of_step(trainer, 0), 0);
    const double usual = length_of_step(trainer, rate);
    EXPECT_GT(usual, 0);
    EXPECT_GT(length_of_step(trainer, 10 * rate), 3 * usual);
    EXPECT_EQ(length_of_step(trainer, 0), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, LearningRateOnGpu,
                         testing::ValuesIn(Registry<RegisteredWorkload>::names()),
                         [](const auto& workload) { return workload.param; });

}  // namespace
}  // namespace trainmark::train
