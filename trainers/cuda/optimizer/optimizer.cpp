#include "cuda/optimizer/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/cuda/CUDAStream.h>

#include <map>

#include "cuda/optimizer/optimizer_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

/// The kernel walks the memory of both from begin to end.
bool same_order(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes()) return false;
  for (std::int64_t i = 0; i < a.dim(); ++i) {
    if (a.size(i) > 1 && a.stride(i) != b.stride(i)) return false;
  }
  return true;
}

/// A part of a larger tensor may begin where the kernel cannot read it.
at::Tensor aligned(const at::Tensor& gradient) {
  const auto address = reinterpret_cast<std::uintptr_t>(gradient.const_data_ptr());
  const bool fits = address % (weights_at_once * gradient.element_size()) == 0;
  return fits ? gradient : gradient.clone();
}

/// A parameter and what belongs to it.
struct Owned {
  at::Tensor parameter;
  at::Tensor weight;  // fp32: the parameter itself, or its master weight
  at::Tensor moment;
  at::Tensor square;  // Adam's

  bool has_master() const { return !parameter.is_same(weight); }
};

class CudaOptimizer : public Optimizer {
 public:
  CudaOptimizer(const OptimizerSettings& settings, const std::vector<at::Tensor>& parameters)
      : settings_(settings) {
    const at::NoGradGuard no_grad;
    const bool adam = std::holds_alternative<Adam>(settings);
    for (const at::Tensor& parameter : parameters) {
      const at::Tensor weight = master_weight(parameter);
      owned_.push_back({parameter, weight, at::zeros_like(weight),
                        adam ? at::zeros_like(weight) : at::Tensor()});
    }
    if (adam) step_ = at::zeros({}, owned_.at(0).weight.options());
  }

  void step(LossScale* scale) override {
    const at::NoGradGuard no_grad;
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream().stream();
    const std::vector<UpdatedGroup> groups = group_tensors();
    ScaleState state;
    if (scale != nullptr) {
      state = {.scale = scale->value().const_data_ptr<float>(),
               .overflow = scale->overflow().mutable_data_ptr<float>()};
      for (const UpdatedGroup& group : groups) find_overflow(group, state.overflow, stream);
      scale->agree();
    }
    if (const Sgd* sgd = std::get_if<Sgd>(&settings_)) {
      const SgdNumbers numbers{.learning_rate = static_cast<float>(sgd->learning_rate),
                               .momentum = static_cast<float>(sgd->momentum),
                               .weight_decay = static_cast<float>(sgd->weight_decay)};
      for (const UpdatedGroup& group : groups) update_by_sgd(group, numbers, state, stream);
      return;
    }
    // A step that overflows does not count.
    step_.add_(1);
    if (scale != nullptr) step_.sub_(scale->overflow().squeeze());
    for (const UpdatedGroup& group : groups) {
      update_by_adam(group, adam_numbers(), state, stream);
    }
  }

  void forget_gradients() override {
    for (Owned& owned : owned_) owned.parameter.mutable_grad().reset();
  }

 private:
  AdamNumbers adam_numbers() const {
    const Adam& adam = std::get<Adam>(settings_);
    return {.learning_rate = static_cast<float>(adam.learning_rate),
            .beta1 = static_cast<float>(adam.beta1),
            .beta2 = static_cast<float>(adam.beta2),
            .epsilon = static_cast<float>(adam.epsilon),
            .weight_decay = static_cast<float>(adam.weight_decay),
            .decoupled = adam.decoupled,
            .step = step_.const_data_ptr<float>()};
  }

  /// By the type of the gradient, which is that of the parameter.
  std::vector<UpdatedGroup> group_tensors() {
    std::map<ElementType, UpdatedGroup> groups;
    for (const Owned& owned : owned_) {
      at::Tensor& gradient = owned.parameter.mutable_grad();
      TORCH_CHECK(gradient.defined() && same_order(gradient, owned.weight),
                  "a gradient is missing, or lies otherwise than its parameter");
      gradient = aligned(gradient);
      const ElementType type = element_type(gradient);
      UpdatedGroup& group = groups[type];
      group.type = type;
      group.tensors.push_back(
          {.gradient = gradient.const_data_ptr(),
           .weight = owned.weight.mutable_data_ptr<float>(),
           .copy = owned.has_master() ? owned.parameter.mutable_data_ptr() : nullptr,
           .moment = owned.moment.mutable_data_ptr<float>(),
           .square = owned.square.defined() ? owned.square.mutable_data_ptr<float>() : nullptr,
           .count = gradient.numel()});
    }
    std::vector<UpdatedGroup> result;
    for (auto& [type, group] : groups) result.push_back(std::move(group));
    return result;
  }

  OptimizerSettings settings_;
  std::vector<Owned> owned_;
  at::Tensor step_;  // Adam's, on the device
};

}  // namespace

std::unique_ptr<Optimizer> make_cuda_optimizer(const OptimizerSettings& settings,
                                               const std::vector<at::Tensor>& parameters) {
  return std::make_unique<CudaOptimizer>(settings, parameters);
}

}  // namespace trainmark::train
