#include "engine/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/empty_like.h>

namespace trainmark::train {
namespace {

/// One pass over each parameter instead of the four of torch::optim::SGD.
class FusedSgd : public Optimizer {
 public:
  FusedSgd(const OptimizerSettings& settings, std::vector<at::Tensor> parameters)
      : settings_(settings), parameters_(std::move(parameters)) {
    const at::NoGradGuard no_grad;
    // Same strides as the parameter: the fused operator walks their memory side by side.
    for (const at::Tensor& parameter : parameters_) momenta_.push_back(at::empty_like(parameter));
  }

  void step() override {
    const at::NoGradGuard no_grad;
    gradients_.clear();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      TORCH_CHECK(parameters_[i].grad().defined(), "parameter ", i, " has no gradient");
      gradients_.push_back(parameters_[i].grad());
    }
    at::_fused_sgd_(parameters_, gradients_, momenta_, settings_.weight_decay, settings_.momentum,
                    settings_.learning_rate, /*dampening=*/0, /*nesterov=*/false,
                    /*maximize=*/false, first_step_);
    first_step_ = false;
    gradients_.clear();
  }

  void forget_gradients() override {
    for (at::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
  }

 private:
  OptimizerSettings settings_;
  std::vector<at::Tensor> parameters_;
  std::vector<at::Tensor> momenta_;
  std::vector<at::Tensor> gradients_;
  bool first_step_ = true;
};

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const OptimizerSettings& settings,
                                          std::vector<at::Tensor> parameters) {
  return std::make_unique<FusedSgd>(settings, std::move(parameters));
}

}  // namespace trainmark::train
