#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <utility>
#include <vector>

namespace trainmark::train {

/// Dynamic loss scaling: small gradients would vanish in fp16, so the loss is multiplied before the
/// backward pass and the gradients divided after it. The scale doubles after 2000 good steps and
/// halves after an overflow. All of it stays on the device.
class LossScale {
 public:
  /// A `fixed` scale stays as it begins.
  LossScale(at::Device device, double first, bool fixed = false);

  at::Tensor scaled(const at::Tensor& loss) const;

  /// Looks for infinities and NaNs; call before the optimizers' steps with the gradients of each.
  void inspect(std::vector<at::Tensor>& gradients);

  /// Once a rank's gradients were looked at, and before they are used: where each rank has some of
  /// its own, all must know of an overflow. An optimizer calls it; by default there is nobody else.
  void agree() {
    if (agreement_) agreement_(overflow_);
  }
  void set_agreement(std::function<void(at::Tensor&)> agreement) {
    agreement_ = std::move(agreement);
  }

  /// Where a step has several optimizers, after each of them: it is skipped for an overflow of its
  /// own gradients only, while the scale is one for all.
  void end_optimizer();

  /// Once a step, after the optimizers.
  void update();

  const at::Tensor& value() const { return value_; }
  const at::Tensor& overflow() const { return overflow_; }  // 1 where a gradient was not finite
  const at::Tensor& good_steps() const { return good_steps_; }

 private:
  bool fixed_;
  at::Tensor value_;
  at::Tensor good_steps_;
  at::Tensor overflow_;
  at::Tensor earlier_overflow_;  // of the optimizers before, where there are several
  at::Tensor one_;
  std::function<void(at::Tensor&)> agreement_;
};

}  // namespace trainmark::train
