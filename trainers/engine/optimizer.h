#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace trainmark::train {

/// Stochastic gradient descent as PyTorch defines it: the decay is added to the gradient, the first
/// step sets the momentum, and the learning rate multiplies the momentum.
struct OptimizerSettings {
  double learning_rate = 0.01;
  double momentum = 0.9;
  double weight_decay = 0;
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;

  /// Changes the parameters by their gradients.
  virtual void step() = 0;

  /// Forgets the gradients: the next backward pass makes new ones instead of adding to zeros.
  virtual void forget_gradients() = 0;
};

std::unique_ptr<Optimizer> make_optimizer(const OptimizerSettings& settings,
                                          std::vector<at::Tensor> parameters);

}  // namespace trainmark::train
