#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/loss_scale.h"
#include "workload/optimizer_settings.h"

namespace trainmark::train {

class Optimizer {
 public:
  virtual ~Optimizer() = default;

  /// Changes the parameters by their gradients. With a loss scale, the gradients are divided by it,
  /// and where one is not finite nothing is changed. Waits for nothing: a step can be captured.
  virtual void step(LossScale* scale = nullptr) = 0;

  /// Forgets the gradients: the next backward pass makes new ones instead of adding to zeros.
  virtual void forget_gradients() = 0;

  /// Of the steps from here on, also of those that are replayed.
  virtual void set_learning_rate(double rate) = 0;

  /// What it remembers from step to step, as it lies in memory; and what that is, followed by the
  /// number of the parameter that it belongs to, where it belongs to one.
  struct State {
    std::string name;
    std::optional<std::size_t> parameter;
    at::Tensor tensor;
  };
  virtual std::vector<State> state() = 0;
};

/// Of a master weight among what an optimizer remembers.
inline constexpr const char* master_name = "master";

/// The fp32 copy of a parameter in half precision; other parameters stand for themselves.
inline at::Tensor master_weight(const at::Tensor& parameter) {
  const bool half = c10::isReducedFloatingType(parameter.scalar_type());
  return half ? parameter.detach().to(at::kFloat) : parameter;
}

/// Parameters in half precision get fp32 master weights, which alone collect the small steps.
std::unique_ptr<Optimizer> make_optimizer(const OptimizerSettings& settings,
                                          std::vector<at::Tensor> parameters,
                                          Decay decay = Decay::all);

}  // namespace trainmark::train
