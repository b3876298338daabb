#pragma once

#include <variant>

namespace trainmark::train {

/// Stochastic gradient descent as PyTorch defines it: the decay is added to the gradient, the first
/// step sets the momentum, and the learning rate multiplies the momentum.
struct Sgd {
  double learning_rate = 0.01;
  double momentum = 0.9;
  double weight_decay = 0;
};

/// Adam, or AdamW where the decay is `decoupled` from the gradient; as PyTorch defines them.
struct Adam {
  double learning_rate = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool decoupled = false;
};

using OptimizerSettings = std::variant<Sgd, Adam>;

/// Whose weights decay: all of them, or those of two and more dimensions.
enum class Decay { all, matrices };

}  // namespace trainmark::train
