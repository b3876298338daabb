#include "engine/optimizer.h"

#include <gtest/gtest.h>
#include <torch/optim.h>

namespace trainmark::train {
namespace {

/// Both start from the same numbers and minimise the same function; theirs is torch::optim's.
template <class Reference>
void expect_same_steps(const OptimizerSettings& settings,
                       const std::function<Reference(at::Tensor)>& make_reference) {
  const auto format = at::MemoryFormat::ChannelsLast;
  const at::Tensor begin = torch::randn({4, 3, 3, 3}).contiguous(format);
  at::Tensor ours = begin.clone().set_requires_grad(true);
  at::Tensor theirs = begin.clone().set_requires_grad(true);
  const auto optimizer = make_optimizer(settings, {ours});
  Reference reference = make_reference(theirs);
  for (int step = 0; step < 5; ++step) {
    ours.pow(3).sum().backward();
    optimizer->step();
    optimizer->forget_gradients();
    EXPECT_FALSE(ours.grad().defined());
    theirs.pow(3).sum().backward();
    reference.step();
    reference.zero_grad();
    EXPECT_TRUE(at::allclose(ours, theirs, 1e-5, 1e-6)) << "step " << step;
  }
}

TEST(Optimizer, TakesTheStepsOfPyTorchsSgd) {
  expect_same_steps<torch::optim::SGD>(
      Sgd{.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}, [](at::Tensor parameter) {
        return torch::optim::SGD({parameter},
                                 torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.01));
      });
}

TEST(Optimizer, TakesTheStepsOfPyTorchsAdam) {
  expect_same_steps<torch::optim::Adam>(
      Adam{.learning_rate = 0.1, .beta1 = 0.5, .beta2 = 0.98, .weight_decay = 0.01},
      [](at::Tensor parameter) {
        return torch::optim::Adam(
            {parameter},
            torch::optim::AdamOptions(0.1).betas({0.5, 0.98}).eps(1e-8).weight_decay(0.01));
      });
}

TEST(Optimizer, TakesTheStepsOfPyTorchsAdamW) {
  expect_same_steps<torch::optim::AdamW>(
      Adam{.learning_rate = 0.1, .epsilon = 1e-6, .weight_decay = 0.1, .decoupled = true},
      [](at::Tensor parameter) {
        return torch::optim::AdamW({parameter},
                                   torch::optim::AdamWOptions(0.1).eps(1e-6).weight_decay(0.1));
      });
}

TEST(Optimizer, TakesGradientsInAnyOrder) {
  const at::Tensor begin = torch::randn({4, 3, 3, 3}).contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor gradient = torch::randn({4, 3, 3, 3});
  for (const OptimizerSettings& settings :
       {OptimizerSettings(Sgd{.learning_rate = 1, .momentum = 0}),
        OptimizerSettings(Adam{.learning_rate = 1, .epsilon = 1})}) {
    const auto changed = [&](const at::Tensor& given) {
      at::Tensor parameter = begin.clone().set_requires_grad(true);
      parameter.mutable_grad() = given;
      make_optimizer(settings, {parameter})->step();
      return parameter.detach();
    };
    const at::Tensor ordered = changed(gradient.contiguous(at::MemoryFormat::ChannelsLast));
    EXPECT_FALSE(at::equal(ordered, begin));
    EXPECT_TRUE(at::equal(changed(gradient), ordered));
  }
}

TEST(Optimizer, LeavesOutAStepThatOverflows) {
  for (const OptimizerSettings& settings :
       {OptimizerSettings(Sgd{}), OptimizerSettings(Adam{.weight_decay = 0.1})}) {
    at::Tensor parameter = torch::ones({3}).set_requires_grad(true);
    const auto optimizer = make_optimizer(settings, {parameter});
    LossScale scale(at::kCPU, 65536);
    parameter.mutable_grad() = torch::tensor({1.0F, INFINITY, 1.0F});
    optimizer->step(&scale);
    scale.update();
    EXPECT_TRUE(at::equal(parameter, torch::ones({3})));
    EXPECT_EQ(scale.value().item<float>(), 32768);
    parameter.mutable_grad() = torch::ones({3}) * 32768;
    optimizer->step(&scale);
    scale.update();
    EXPECT_TRUE(at::allclose(parameter, torch::full({3}, parameter[0].item<float>())));
    EXPECT_LT(parameter[0].item<float>(), 1);
    EXPECT_GT(parameter[0].item<float>(), 0.98);
    EXPECT_EQ(scale.value().item<float>(), 32768);
    at::Tensor other = torch::ones({3}).set_requires_grad(true);
    const auto fresh = make_optimizer(settings, {other});
    other.mutable_grad() = torch::ones({3});
    fresh->step();
    EXPECT_TRUE(at::allclose(parameter, other, 0, 1e-6)) << "the step that was left out counted";
  }
}

TEST(Optimizer, LeavesOutAStepThatOverflowsOnAnotherRank) {
  at::Tensor parameter = torch::ones({3}).set_requires_grad(true);
  const auto optimizer = make_optimizer(Sgd{}, {parameter});
  LossScale scale(at::kCPU, 65536);
  scale.set_agreement([](at::Tensor& overflow) {
    EXPECT_EQ(overflow.item<float>(), 0);
    overflow.fill_(1);
  });
  parameter.mutable_grad() = torch::ones({3});
  optimizer->step(&scale);
  scale.update();
  EXPECT_TRUE(at::equal(parameter, torch::ones({3})));
  EXPECT_EQ(scale.value().item<float>(), 32768);
}

TEST(Optimizer, KeepsSmallStepsOfHalfParametersInMasterWeights) {
  at::Tensor parameter = torch::ones({2}, at::kHalf).set_requires_grad(true);
  const auto optimizer = make_optimizer(Sgd{.learning_rate = 1e-4, .momentum = 0.1}, {parameter});
  for (int step = 0; step < 20; ++step) {  // each step alone is below what fp16 can tell at 1
    parameter.mutable_grad() = torch::ones({2}, at::kHalf);
    optimizer->step();
  }
  EXPECT_NEAR(parameter[0].item<float>(), 0.9978, 0.0006);
}

/// A matrix and a vector of ones, whose gradients are zero: only the decay changes them.
std::pair<at::Tensor, at::Tensor> decayed(const OptimizerSettings& settings, Decay decay) {
  std::pair<at::Tensor, at::Tensor> parameters = {torch::ones({2, 2}), torch::ones({2})};
  parameters.first.mutable_grad() = torch::zeros({2, 2});
  parameters.second.mutable_grad() = torch::zeros({2});
  make_optimizer(settings, {parameters.second, parameters.first}, decay)->step();
  return parameters;
}

TEST(Optimizer, SparesVectorsFromDecayWhereItIsForMatrices) {
  for (const OptimizerSettings& settings :
       {OptimizerSettings(Sgd{.learning_rate = 0.5, .weight_decay = 0.1}),
        OptimizerSettings(Adam{.learning_rate = 0.5, .weight_decay = 0.1, .decoupled = true})}) {
    const auto all = decayed(settings, Decay::all);
    EXPECT_LT(all.first.max().item<float>(), 1);
    EXPECT_LT(all.second.max().item<float>(), 1);
    const auto matrices = decayed(settings, Decay::matrices);
    EXPECT_TRUE(at::equal(matrices.first, all.first));
    EXPECT_EQ(matrices.second.min().item<float>(), 1);
  }
}

TEST(Optimizer, TakesAnotherLearningRateFromStepToStep) {
  const at::Tensor parameter = torch::zeros({1});
  const auto optimizer = make_optimizer(Sgd{.learning_rate = 1, .momentum = 0}, {parameter});
  for (const double rate : {0.5, 0.25}) {
    parameter.mutable_grad() = torch::ones({1});
    optimizer->set_learning_rate(rate);
    optimizer->step();
  }
  EXPECT_EQ(parameter.item<float>(), -0.75F);
}

TEST(Optimizer, HasAllItRemembersInItsState) {
  const at::Tensor half = torch::ones({2, 2}, torch::kBFloat16);
  const at::Tensor plain = torch::ones({3});
  const auto names = [](Optimizer& optimizer) {
    std::vector<std::string> all;
    for (const Optimizer::State& state : optimizer.state()) {
      all.push_back(state.name + (state.parameter ? std::to_string(*state.parameter) : ""));
    }
    return all;
  };
  EXPECT_EQ(names(*make_optimizer(Sgd{}, {half, plain})),
            (std::vector<std::string>{"master0", "momentum0", "momentum1"}));
  EXPECT_EQ(names(*make_optimizer(Adam{}, {half, plain}, Decay::matrices)),
            (std::vector<std::string>{"master0", "mean0", "square0", "steps0", "mean1", "square1",
                                      "steps1"}));
}

}  // namespace
}  // namespace trainmark::train
