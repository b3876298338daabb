#include "engine/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "engine/parameter_groups.h"

namespace trainmark::train {
namespace {

using Tensors = std::vector<at::Tensor>;

/// A view whose elements follow one another as they lie in memory, where `pattern` is contiguous or
/// channels-last. The fused operators walk the memory of all their tensors side by side, and
/// LibTorch copies gradients on CPUs that are not contiguous.
at::Tensor in_memory_order(const at::Tensor& tensor, const at::Tensor& pattern) {
  const auto format = pattern.suggest_memory_format();
  const at::Tensor same = tensor.contiguous(format);
  return format == at::MemoryFormat::ChannelsLast ? same.permute({0, 2, 3, 1}) : same;
}

Tensors in_memory_order(const Tensors& tensors, const Tensors& patterns) {
  Tensors views;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    views.push_back(in_memory_order(tensors[i], patterns[i]));
  return views;
}

/// A rule that changes fp32 parameters, all of them in few kernels.
class Rule {
 public:
  virtual ~Rule() = default;

  /// All in memory order.
  virtual void apply(const Tensors& parameters, const Tensors& gradients,
                     const std::optional<at::Tensor>& scale,
                     const std::optional<at::Tensor>& overflow) = 0;
  virtual void set_learning_rate(double rate) = 0;

  /// Of each parameter, by what they are.
  virtual std::vector<std::pair<const char*, const Tensors*>> memories() const = 0;

  /// How many steps were done, where it counts them.
  virtual at::Tensor counter() const { return {}; }
};

// State has the strides of its parameter: the fused operators walk their memory side by side.
Tensors zeros_like(const Tensors& parameters) {
  Tensors zeros;
  for (const at::Tensor& parameter : parameters) zeros.push_back(at::zeros_like(parameter));
  return zeros;
}

class SgdRule : public Rule {
 public:
  SgdRule(const Sgd& settings, const Tensors& parameters)
      : settings_(settings),
        momenta_(settings.momentum != 0 ? zeros_like(parameters) : Tensors()),
        momentum_views_(in_memory_order(momenta_, parameters)) {}

  void apply(const Tensors& parameters, const Tensors& gradients,
             const std::optional<at::Tensor>& scale,
             const std::optional<at::Tensor>& overflow) override {
    // From zero, the first step sets the momentum to the gradient without being a special one.
    at::_fused_sgd_(parameters, gradients, momentum_views_, settings_.weight_decay,
                    settings_.momentum, settings_.learning_rate, /*dampening=*/0,
                    /*nesterov=*/false,
                    /*maximize=*/false, /*is_first_step=*/false, scale, overflow);
  }

  void set_learning_rate(double rate) override { settings_.learning_rate = rate; }

  std::vector<std::pair<const char*, const Tensors*>> memories() const override {
    if (momenta_.empty()) return {};
    return {{"momentum", &momenta_}};
  }

 private:
  Sgd settings_;
  Tensors momenta_;
  Tensors momentum_views_;
};

class AdamRule : public Rule {
 public:
  AdamRule(const Adam& settings, const Tensors& parameters)
      : settings_(settings),
        means_(zeros_like(parameters)),
        squares_(zeros_like(parameters)),
        mean_views_(in_memory_order(means_, parameters)),
        square_views_(in_memory_order(squares_, parameters)),
        step_(at::zeros({}, parameters.at(0).options().dtype(at::kFloat))),
        steps_(parameters.size(), step_) {}

  void apply(const Tensors& parameters, const Tensors& gradients,
             const std::optional<at::Tensor>& scale,
             const std::optional<at::Tensor>& overflow) override {
    // The operator counts from 1; a step that overflows does not count.
    step_.add_(1);
    if (overflow) step_.sub_(overflow->squeeze());
    const auto fused = settings_.decoupled ? static_cast<FusedAdam>(at::_fused_adamw_)
                                           : static_cast<FusedAdam>(at::_fused_adam_);
    fused(parameters, gradients, mean_views_, square_views_, /*max_exp_avg_sqs=*/{}, steps_,
          settings_.learning_rate, settings_.beta1, settings_.beta2, settings_.weight_decay,
          settings_.epsilon, /*amsgrad=*/false, /*maximize=*/false, scale, overflow);
  }

  void set_learning_rate(double rate) override { settings_.learning_rate = rate; }

  std::vector<std::pair<const char*, const Tensors*>> memories() const override {
    return {{"mean", &means_}, {"square", &squares_}};
  }

  at::Tensor counter() const override { return step_; }

 private:
  using FusedAdam = void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList,
                             at::TensorList, at::TensorList, double, double, double, double, double,
                             bool, bool, const std::optional<at::Tensor>&,
                             const std::optional<at::Tensor>&);

  Adam settings_;
  Tensors means_;
  Tensors squares_;
  Tensors mean_views_;
  Tensors square_views_;
  at::Tensor step_;
  Tensors steps_;  // the same for each parameter: the operator wants a list
};

Tensors master_weights(const Tensors& parameters) {
  Tensors masters;
  for (const at::Tensor& parameter : parameters) masters.push_back(master_weight(parameter));
  return masters;
}

std::unique_ptr<Rule> make_rule(const OptimizerSettings& settings, const Tensors& parameters) {
  if (const Sgd* sgd = std::get_if<Sgd>(&settings)) {
    return std::make_unique<SgdRule>(*sgd, parameters);
  }
  return std::make_unique<AdamRule>(std::get<Adam>(settings), parameters);
}

Tensors members_of(const Tensors& tensors, const std::vector<std::size_t>& members) {
  Tensors chosen;
  for (const std::size_t member : members) chosen.push_back(tensors[member]);
  return chosen;
}

class FusedOptimizer : public Optimizer {
 public:
  FusedOptimizer(const OptimizerSettings& settings, Tensors parameters, Decay decay)
      : parameters_(std::move(parameters)), masters_(master_weights(parameters_)) {
    const at::NoGradGuard no_grad;
    for (ParameterGroup& group : group_parameters(settings, parameters_, decay)) {
      Tensors masters = members_of(masters_, group.members);
      auto rule = make_rule(group.settings, masters);
      Tensors views = in_memory_order(masters, masters);
      groups_.push_back(
          {std::move(group.members), std::move(masters), std::move(views), std::move(rule)});
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (parameters_[i].is_same(masters_[i])) continue;
      half_parameters_.push_back(parameters_[i]);
      half_masters_.push_back(masters_[i]);
      wide_gradients_.push_back(at::empty_like(masters_[i]));
    }
  }

  void step(LossScale* scale) override {
    const at::NoGradGuard no_grad;
    Tensors gradients = this->gradients();
    std::optional<at::Tensor> factor;
    std::optional<at::Tensor> overflow;
    if (scale != nullptr) {
      scale->inspect(gradients);
      scale->agree();
      factor = scale->value();
      overflow = scale->overflow();
    }
    for (const Group& group : groups_) {
      group.rule->apply(group.views,
                        in_memory_order(members_of(gradients, group.members), group.masters),
                        factor, overflow);
    }
    if (!half_parameters_.empty()) at::_foreach_copy_(half_parameters_, half_masters_);
  }

  void forget_gradients() override {
    for (at::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
  }

  void set_learning_rate(double rate) override {
    for (const Group& group : groups_) group.rule->set_learning_rate(rate);
  }

  std::vector<State> state() override {
    std::vector<State> all;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!parameters_[i].is_same(masters_[i])) all.push_back({master_name, i, masters_[i]});
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      for (const auto& [name, tensors] : group.rule->memories()) {
        for (std::size_t i = 0; i < tensors->size(); ++i) {
          all.push_back({name, group.members[i], (*tensors)[i]});
        }
      }
      const at::Tensor counter = group.rule->counter();
      if (counter.defined()) all.push_back({"steps" + std::to_string(g), std::nullopt, counter});
    }
    return all;
  }

 private:
  struct Group {
    std::vector<std::size_t> members;
    Tensors masters;
    Tensors views;  // of the masters, in memory order
    std::unique_ptr<Rule> rule;
  };

  /// In fp32, one for each master weight.
  Tensors gradients() {
    Tensors result;
    Tensors half;
    std::size_t wide = 0;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const at::Tensor& gradient = parameters_[i].grad();
      TORCH_CHECK(gradient.defined(), "parameter ", i, " has no gradient");
      if (parameters_[i].is_same(masters_[i])) {
        result.push_back(gradient);
      } else {
        half.push_back(gradient);
        result.push_back(wide_gradients_[wide++]);
      }
    }
    if (!half.empty()) at::_foreach_copy_(wide_gradients_, half);
    return result;
  }

  Tensors parameters_;
  Tensors masters_;
  std::vector<Group> groups_;
  Tensors half_parameters_;  // and their masters and gradients, side by side
  Tensors half_masters_;
  Tensors wide_gradients_;
};

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const OptimizerSettings& settings,
                                          std::vector<at::Tensor> parameters, Decay decay) {
  return std::make_unique<FusedOptimizer>(settings, std::move(parameters), decay);
}

}  // namespace trainmark::train
