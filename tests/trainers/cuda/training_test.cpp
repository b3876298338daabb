// What must hold of every workload on a GPU, in every mode and precision that is claimed.

#include "../models/support.h"
#include "engine/precision.h"
#include "engine/weights.h"
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

  /// Of the first step whose gradients are finite, on the host.
  NamedTensors gradients_in(const std::string& precision) {
    Options options = tiny();
    options.precision = precision;
    options.device = "cuda";
    options.dropout = 0;
    options = resolve(options, describe());
    use_precision(precision);
    const std::unique_ptr<Workload> workload = make(options, accelerator);
    Trainer trainer(*workload, options, accelerator);
    NamedTensors gradients;
    trainer.on_gradients = [&](double scale) {
      for (auto& [name, gradient] : gradients_of(workload->model(), scale))
        gradients[name] = gradient.cpu();
    };
    const auto overflows = [&] {
      return std::any_of(gradients.begin(), gradients.end(), [](const auto& named) {
        return !at::isfinite(named.second).all().template item<bool>();
      });
    };
    constexpr int most_tries = 20;
    for (int i = 0; i < most_tries && (i == 0 || overflows()); ++i) trainer.step();
    return gradients;
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

TEST_P(TrainingOnGpu, HasGradientsOfTheSameLengthInEveryPrecision) {
  const NamedTensors exact = gradients_in("fp32");
  for (const char* precision : {"tf32", "amp-fp16", "amp-bf16", "fp16"}) {
    const NamedTensors rounded = gradients_in(precision);
    ASSERT_EQ(rounded.size(), exact.size()) << precision;
    double along = 0, squared = 0;
    for (const auto& [name, gradient] : exact) {
      EXPECT_TRUE(at::isfinite(rounded.at(name)).all().item<bool>()) << precision << ", " << name;
      along += (gradient * rounded.at(name)).sum().item<double>();
      squared += gradient.square().sum().item<double>();
    }
    EXPECT_NEAR(along / squared, 1, 0.15) << precision;
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
