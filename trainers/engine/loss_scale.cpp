#include "engine/loss_scale.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/maximum.h>

namespace trainmark::train {
namespace {

// The values of PyTorch's GradScaler.
constexpr double scale_growth = 2;
constexpr double scale_backoff = 0.5;
constexpr std::int64_t growth_interval = 2000;

}  // namespace

LossScale::LossScale(at::Device device, double first, bool fixed)
    : fixed_(fixed),
      value_(at::full({1}, first, at::TensorOptions(device).dtype(at::kFloat))),
      good_steps_(at::full({1}, 0, at::TensorOptions(device).dtype(at::kInt))),
      overflow_(at::full({1}, 0, at::TensorOptions(device).dtype(at::kFloat))),
      one_(at::full({1}, 1, at::TensorOptions(device).dtype(at::kFloat))) {}

at::Tensor LossScale::scaled(const at::Tensor& loss) const {
  return loss * value_.squeeze();
}

void LossScale::inspect(std::vector<at::Tensor>& gradients) {
  // The fused optimizers divide by the scale themselves.
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, overflow_, one_);
}

void LossScale::end_optimizer() {
  const at::NoGradGuard no_grad;
  if (earlier_overflow_.defined()) {
    at::maximum_out(earlier_overflow_, earlier_overflow_, overflow_);
  } else {
    earlier_overflow_ = overflow_.clone();
  }
  overflow_.zero_();
}

void LossScale::update() {
  const at::NoGradGuard no_grad;
  if (earlier_overflow_.defined()) {
    at::maximum_out(overflow_, overflow_, earlier_overflow_);
    earlier_overflow_.zero_();
  }
  if (!fixed_) {
    at::_amp_update_scale_(value_, good_steps_, overflow_, scale_growth, scale_backoff,
                           growth_interval);
  }
  overflow_.zero_();
}

}  // namespace trainmark::train
