#include "cuda/optimizer/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/cuda/CUDAStream.h>

#include <map>

#include "cuda/optimizer/optimizer_kernels.h"
#include "cuda/support/tensors.h"
#include "engine/parameter_groups.h"

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
  CudaOptimizer(const OptimizerSettings& settings, const std::vector<at::Tensor>& parameters,
                Decay decay)
      : groups_(group_parameters(settings, parameters, decay)) {
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
    std::vector<std::vector<UpdatedGroup>> tensors;
    for (const ParameterGroup& group : groups_) tensors.push_back(group_tensors(group.members));
    ScaleState state;
    if (scale != nullptr) {
      state = {.scale = scale->value().const_data_ptr<float>(),
               .overflow = scale->overflow().mutable_data_ptr<float>()};
      for (const auto& of_group : tensors) {
        for (const UpdatedGroup& group : of_group) find_overflow(group, state.overflow, stream);
      }
      scale->agree();
    }
    // A step that overflows does not count.
    if (step_.defined()) {
      step_.add_(1);
      if (scale != nullptr) step_.sub_(scale->overflow().squeeze());
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      update(groups_[i].settings, tensors[i], state, stream);
    }
  }

  void forget_gradients() override {
    for (Owned& owned : owned_) owned.parameter.mutable_grad().reset();
  }

  /// A recorded step reads it where it lies; what fills it comes before the replay in the stream.
  void set_learning_rate(double rate) override {
    const at::NoGradGuard no_grad;
    if (!rate_.defined()) rate_ = at::zeros({}, owned_.at(0).weight.options());
    rate_.fill_(rate);
  }

  std::vector<State> state() override {
    std::vector<State> all;
    for (std::size_t i = 0; i < owned_.size(); ++i) {
      const Owned& owned = owned_[i];
      if (owned.has_master()) all.push_back({master_name, i, owned.weight});
      all.push_back({owned.square.defined() ? "mean" : "momentum", i, owned.moment});
      if (owned.square.defined()) all.push_back({"square", i, owned.square});
    }
    if (step_.defined()) all.push_back({"steps", std::nullopt, step_});
    return all;
  }

 private:
  void update(const OptimizerSettings& settings, const std::vector<UpdatedGroup>& groups,
              const ScaleState& state, cudaStream_t stream) const {
    const Sgd* const sgd = std::get_if<Sgd>(&settings);
    for (const UpdatedGroup& group : groups) {
      if (sgd != nullptr) {
        update_by_sgd(group, sgd_numbers(*sgd), state, stream);
      } else {
        update_by_adam(group, adam_numbers(std::get<Adam>(settings)), state, stream);
      }
    }
  }

  /// Null where it is always the same.
  const float* changing_rate() const {
    return rate_.defined() ? rate_.const_data_ptr<float>() : nullptr;
  }

  SgdNumbers sgd_numbers(const Sgd& sgd) const {
    return {.learning_rate = static_cast<float>(sgd.learning_rate),
            .changing_rate = changing_rate(),
            .momentum = static_cast<float>(sgd.momentum),
            .weight_decay = static_cast<float>(sgd.weight_decay)};
  }

  AdamNumbers adam_numbers(const Adam& adam) const {
    return {.learning_rate = static_cast<float>(adam.learning_rate),
            .changing_rate = changing_rate(),
            .beta1 = static_cast<float>(adam.beta1),
            .beta2 = static_cast<float>(adam.beta2),
            .epsilon = static_cast<float>(adam.epsilon),
            .weight_decay = static_cast<float>(adam.weight_decay),
            .decoupled = adam.decoupled,
            .step = step_.const_data_ptr<float>()};
  }

  /// By the type of the gradient, which is that of the parameter.
  std::vector<UpdatedGroup> group_tensors(const std::vector<std::size_t>& members) {
    std::map<ElementType, UpdatedGroup> groups;
    for (const std::size_t member : members) {
      const Owned& owned = owned_[member];
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

  std::vector<ParameterGroup> groups_;
  std::vector<Owned> owned_;
  at::Tensor step_;  // Adam's, on the device
  at::Tensor rate_;  // of the steps, where it changes; likewise
};

}  // namespace

std::unique_ptr<Optimizer> make_cuda_optimizer(const OptimizerSettings& settings,
                                               const std::vector<at::Tensor>& parameters,
                                               Decay decay) {
  return std::make_unique<CudaOptimizer>(settings, parameters, decay);
}

}  // namespace trainmark::train
