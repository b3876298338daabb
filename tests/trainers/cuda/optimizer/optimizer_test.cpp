#include "engine/optimizer.h"

#include <torch/types.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

// Steps of Adam on a handful of sizes, some of which leave a rest behind fours and chunks.
const std::vector<std::vector<std::int64_t>> parameter_shapes = {
    {1}, {7}, {64, 3, 3, 3}, {1000, 37}, {9001}};

class OptimizerOnGpu : public OnGpu {
 protected:
  static Tensors random(at::ScalarType type) {
    Tensors tensors;
    for (const auto& shape : parameter_shapes) {
      tensors.push_back(torch::randn(shape, at::TensorOptions(at::kCUDA)).to(type));
    }
    return tensors;
  }

  /// What `steps` steps of an optimizer make of parameters in the given type, starting from the
  /// same.
  Tensors trained(const OptimizerSettings& settings, at::ScalarType type, bool ours, int steps,
                  LossScale* scale = nullptr) {
    torch::manual_seed(5);
    Tensors parameters = random(at::kHalf);  // what a half can hold, so that all begin alike
    for (at::Tensor& parameter : parameters) parameter = parameter.to(type).set_requires_grad(true);
    const auto optimizer = ours ? accelerator->make_optimizer(settings, parameters)
                                : make_optimizer(settings, parameters);
    for (int step = 0; step < steps; ++step) {
      const Tensors gradients = random(at::kHalf);
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        at::Tensor gradient = gradients[i].to(type);
        if (scale != nullptr) gradient = gradient * scale->value().to(type);
        parameters[i].mutable_grad() = gradient;
      }
      optimizer->step(scale);
      optimizer->forget_gradients();
    }
    return parameters;
  }

  void expect_same(const OptimizerSettings& settings) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const Tensors ours = trained(settings, type, /*ours=*/true, 5);
      const Tensors theirs = trained(settings, type, /*ours=*/false, 5);
      for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_EQ(ours[i].scalar_type(), type);
        EXPECT_LT(distance(ours[i].detach(), theirs[i].detach()), type == at::kFloat ? 1e-6 : 1e-3)
            << text_of(parameter_shapes[i], type);
      }
    }
  }
};

TEST_F(OptimizerOnGpu, DoesWhatLibTorchDoes) {
  expect_same(Sgd{.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.01});
  expect_same(Adam{.learning_rate = 0.01, .weight_decay = 0.1});
  expect_same(Adam{.learning_rate = 0.01, .weight_decay = 0.1, .decoupled = true});
}

TEST_F(OptimizerOnGpu, DividesByTheLossScale) {
  LossScale scale(at::kCUDA, 65536);
  scale.value().fill_(1024);
  const Sgd sgd{.learning_rate = 0.1, .momentum = 0.9};
  const Tensors scaled = trained(sgd, at::kFloat, /*ours=*/true, 3, &scale);
  const Tensors plain = trained(sgd, at::kFloat, /*ours=*/true, 3);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_LT(distance(scaled[i].detach(), plain[i].detach()), 1e-6);
  }
}

TEST_F(OptimizerOnGpu, TakesGradientsThatBeginAnywhere) {
  const Sgd sgd{.learning_rate = 0.1, .momentum = 0.9};
  const at::Tensor gradients = torch::randn({1000}, at::TensorOptions(at::kCUDA));
  for (const std::int64_t first : {0, 1, 2, 3}) {
    Tensors parameters = {at::zeros({99}, gradients.options()).set_requires_grad(true)};
    parameters[0].mutable_grad() = gradients.narrow(0, first, 99);
    accelerator->make_optimizer(sgd, parameters)->step(nullptr);
    EXPECT_LT(distance(parameters[0].detach(), gradients.narrow(0, first, 99) * -0.1), 1e-6);
  }
}

TEST_F(OptimizerOnGpu, LeavesOutAStepThatOverflowsOnAnotherRank) {
  LossScale scale(at::kCUDA, 65536);
  scale.set_agreement([](at::Tensor& overflow) { overflow.fill_(1); });
  at::Tensor parameter = torch::ones({9}, at::kCUDA).set_requires_grad(true);
  parameter.mutable_grad() = at::ones_like(parameter);
  accelerator->make_optimizer(Sgd{}, {parameter})->step(&scale);
  EXPECT_TRUE(at::equal(parameter.detach(), at::ones_like(parameter)));
}

TEST_F(OptimizerOnGpu, LeavesOutAStepThatOverflows) {
  torch::manual_seed(7);
  LossScale scale(at::kCUDA, 65536);
  Tensors parameters = random(at::kHalf);
  Tensors before;
  for (at::Tensor& parameter : parameters) {
    before.push_back(parameter.clone());
    parameter.set_requires_grad(true);
    parameter.mutable_grad() = at::ones_like(parameter);
  }
  parameters.back().mutable_grad().view({-1})[9000] = INFINITY;  // the last of the last
  const auto optimizer = accelerator->make_optimizer(Adam{}, parameters);
  optimizer->step(&scale);
  EXPECT_EQ(scale.overflow().item<float>(), 1);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_TRUE(at::equal(parameters[i].detach(), before[i]));
  }
  scale.update();
  parameters.back().mutable_grad().view({-1})[9000] = 1;
  optimizer->step(&scale);
  EXPECT_EQ(scale.overflow().item<float>(), 0);
  EXPECT_FALSE(at::equal(parameters.back().detach(), before.back()));
}

}  // namespace
}  // namespace trainmark::train
