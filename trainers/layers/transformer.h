#pragma once

#include <torch/nn/modules/normalization.h>

#include <string>

#include "layers/linear.h"

namespace trainmark::train {

/// A linear layer's activation.
enum class Activation { relu, gelu };  // gelu: by the error function

/// LibTorch's layer, over the last dimension.
struct LayerNormImpl : torch::nn::LayerNormImpl {
  LayerNormImpl(const TrainingContext& context, std::int64_t width, double epsilon);

  decltype(Kernels::add_norm) kernel;  // of add_norm
};
TORCH_MODULE(LayerNorm);

/// norm(x + dropout(y)): what ends a sub-layer of a post-norm transformer.
at::Tensor add_norm(LayerNorm& norm, const at::Tensor& x, const at::Tensor& y, double dropout,
                    bool training);

/// activation(linear(x)).
at::Tensor linear_activation(Linear& linear, const at::Tensor& x, Activation activation);

/// Multi-head attention of already projected queries [N, queries, width], keys and values [N, keys,
/// width]: softmax(q kᵀ / √(width / heads)) v, heads side by side again. `causal`: a query sees no
/// later key. `dropout` falls on the softmax. Fused where the device can.
at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     std::int64_t heads, bool causal, double dropout);

}  // namespace trainmark::train
