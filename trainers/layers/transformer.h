#pragma once

#include <torch/nn/modules/normalization.h>

#include "layers/linear.h"

namespace trainmark::train {

/// LibTorch's layer, over the last dimension.
struct LayerNormImpl : torch::nn::LayerNormImpl {
  LayerNormImpl(const TrainingContext& context, std::int64_t width, double epsilon);

  decltype(Kernels::add_norm) kernel;  // of linear_add_norm
};
TORCH_MODULE(LayerNorm);

/// x with dropout; 0: none.
at::Tensor dropped(const Kernels& kernels, const at::Tensor& x, double rate);

/// norm(x + dropout(linear(y))): what ends a sub-layer of a post-norm transformer, for the branch
/// and the shortcut of the next one. `dropout` is the rate, 0 where nothing is trained.
Fork linear_add_norm(Linear& linear, const at::Tensor& y, const at::Tensor& x, double dropout,
                     LayerNorm& norm);

/// activation(linear(x)).
at::Tensor linear_activation(Linear& linear, const at::Tensor& x, Activation activation);

/// Which tokens of sentences [N, width] are within their lengths [N], as `keys` of an attention.
/// The rest is padding.
at::Tensor tokens_within(const at::Tensor& lengths, std::int64_t width);

/// Multi-head attention of what is already projected: softmax(q kᵀ / √(width / heads)) v, heads
/// side by side again. Fused where the device can.
at::Tensor attention(const Kernels& kernels, const AttentionArguments& arguments);

}  // namespace trainmark::train
