#include "layers/linear.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/linear.h>

namespace trainmark::train {
namespace {

constexpr std::int64_t rows_at_a_time = 8;

/// The type of products on the tensor's device.
at::ScalarType product_type_of(const at::Tensor& weight) {
  const auto device = weight.device().type();
  return at::autocast::is_autocast_enabled(device) ? at::autocast::get_autocast_dtype(device)
                                                   : weight.scalar_type();
}

}  // namespace

LinearImpl::LinearImpl(const TrainingContext& context, std::int64_t in, std::int64_t out)
    : torch::nn::LinearImpl(in, out), kernels(context.kernels) {}

bool LinearImpl::has_kernel() const {
  if (kernels.linear == nullptr || !bias.defined()) return false;
  // A GPU's kernel is for half precision.
  return !weight.is_cuda() || weight.scalar_type() != at::kFloat;
}

at::Tensor LinearImpl::forward(const at::Tensor& x) {
  if (has_kernel()) return kernels.linear(x.to(weight.scalar_type()), weight, bias);
  return at::linear(x, weight, bias);
}

at::Tensor vocabulary_logits(const Kernels& kernels, const at::Tensor& x, const at::Tensor& weight,
                             const at::Tensor& bias) {
  if (!weight.is_cuda() && kernels.linear != nullptr) return kernels.linear(x, weight, bias);
  const std::int64_t missing = -weight.size(0) & (rows_at_a_time - 1);
  const at::ScalarType type = product_type_of(weight);
  if (missing == 0 || !weight.is_cuda() || type == at::kFloat) return at::linear(x, weight, bias);
  const at::Tensor padded_bias =
      bias.defined() ? at::constant_pad_nd(bias.to(type), {0, missing}) : bias;
  return at::linear(x, at::constant_pad_nd(weight.to(type), {0, 0, 0, missing}), padded_bias);
}

}  // namespace trainmark::train
