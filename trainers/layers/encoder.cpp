#include "layers/encoder.h"

namespace trainmark::train {

SelfAttentionImpl::SelfAttentionImpl(const TrainingContext& context, const LayerShape& layer_shape,
                                     bool is_causal)
    : shape(layer_shape),
      causal(is_causal),
      qkv(register_module("qkv", Linear(context, shape.width, 3 * shape.width))),
      output(register_module("output", Linear(context, shape.width, shape.width))),
      norm(register_module("norm", LayerNorm(context, shape.width, shape.norm_epsilon))) {}

at::Tensor SelfAttentionImpl::forward(const at::Tensor& x) {
  const std::vector<at::Tensor> parts = qkv(x).chunk(3, -1);
  const at::Tensor y = attention(parts[0], parts[1], parts[2], shape.heads, causal,
                                 is_training() ? shape.attention_dropout : 0);
  return add_norm(norm, x, output(y), shape.dropout, is_training());
}

FeedForwardImpl::FeedForwardImpl(const TrainingContext& context, const LayerShape& layer_shape)
    : shape(layer_shape),
      expand(register_module("expand", Linear(context, shape.width, shape.feed_forward))),
      contract(register_module("contract", Linear(context, shape.feed_forward, shape.width))),
      norm(register_module("norm", LayerNorm(context, shape.width, shape.norm_epsilon))) {}

at::Tensor FeedForwardImpl::forward(const at::Tensor& x) {
  const at::Tensor y = contract(linear_activation(expand, x, shape.activation));
  return add_norm(norm, x, y, shape.dropout, is_training());
}

EncoderLayerImpl::EncoderLayerImpl(const TrainingContext& context, const LayerShape& shape)
    : attention(register_module("attention", SelfAttention(context, shape, /*causal=*/false))),
      feed_forward(register_module("feed_forward", FeedForward(context, shape))) {}

at::Tensor EncoderLayerImpl::forward(const at::Tensor& x) {
  return feed_forward(attention(x));
}

}  // namespace trainmark::train
