#include "engine/optimizer.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace trainmark::train {
namespace {

TEST(Optimizer, TakesTheStepsOfPyTorch) {
  const auto format = at::MemoryFormat::ChannelsLast;
  const at::Tensor begin = torch::randn({4, 3, 3, 3}).contiguous(format);
  at::Tensor ours = begin.clone().set_requires_grad(true);
  at::Tensor theirs = begin.clone().set_requires_grad(true);
  const auto optimizer =
      make_optimizer({.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}, {ours});
  torch::optim::SGD reference({theirs},
                              torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.01));
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

}  // namespace
}  // namespace trainmark::train
