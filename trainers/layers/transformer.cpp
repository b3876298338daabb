#include "layers/transformer.h"

#include <ATen/ops/dropout.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/scaled_dot_product_attention.h>

namespace trainmark::train {
namespace {

// What the kernel of add_norm takes: 16 bytes at a time, and a row in a warp's registers.
constexpr std::int64_t elements_at_a_time = 8;
constexpr std::int64_t widest_kernel = 2048;

}  // namespace

LayerNormImpl::LayerNormImpl(const TrainingContext& context, std::int64_t width, double epsilon)
    : torch::nn::LayerNormImpl(torch::nn::LayerNormOptions({width}).eps(epsilon)),
      kernel(context.kernels.add_norm) {}

at::Tensor add_norm(LayerNorm& norm, const at::Tensor& x, const at::Tensor& y, double dropout,
                    bool training) {
  const double rate = training ? dropout : 0;
  if (norm->kernel != nullptr && y.is_cuda() && y.size(-1) % elements_at_a_time == 0 &&
      y.size(-1) <= widest_kernel) {
    return norm->kernel({.x = x,
                         .y = y,
                         .weight = norm->weight,
                         .bias = norm->bias,
                         .dropout = rate,
                         .epsilon = norm->options.eps()});
  }
  return norm(x + (rate > 0 ? at::dropout(y, rate, /*train=*/true) : y));
}

at::Tensor linear_activation(Linear& linear, const at::Tensor& x, Activation activation) {
  return activation == Activation::relu ? linear(x).relu_() : at::gelu(linear(x));
}

at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     std::int64_t heads, bool causal, double dropout) {
  const auto split = [heads](const at::Tensor& x) {  // [N, length, width] → [N, heads, length, …]
    return x.unflatten(-1, {heads, -1}).transpose(1, 2);
  };
  return at::scaled_dot_product_attention(split(query), split(key), split(value),
                                          /*attn_mask=*/std::nullopt, dropout, causal)
      .transpose(1, 2)
      .flatten(-2);
}

}  // namespace trainmark::train
