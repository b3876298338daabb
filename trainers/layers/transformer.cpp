#include "layers/transformer.h"

#include <ATen/ops/dropout.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/scaled_dot_product_attention.h>

namespace trainmark::train {

at::Tensor add_norm(torch::nn::LayerNorm& norm, const at::Tensor& x, const at::Tensor& y,
                    double dropout, bool training) {
  return norm(x + (dropout > 0 ? at::dropout(y, dropout, training) : y));
}

at::Tensor linear_activation(torch::nn::Linear& linear, const at::Tensor& x,
                             Activation activation) {
  return activation == Activation::Relu ? linear(x).relu_() : at::gelu(linear(x));
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
