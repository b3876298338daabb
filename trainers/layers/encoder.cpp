#include "layers/encoder.h"

namespace trainmark::train {

SelfAttentionImpl::SelfAttentionImpl(const TrainingContext& context, const LayerShape& layer_shape,
                                     bool is_causal)
    : kernels(context.kernels),
      shape(layer_shape),
      causal(is_causal),
      qkv(register_module("qkv", Linear(context, shape.width, 3 * shape.width))),
      output(register_module("output", Linear(context, shape.width, shape.width))),
      norm(register_module("norm", LayerNorm(context, shape.width, shape.norm_epsilon))) {}

Fork SelfAttentionImpl::forward(const Fork& x, const at::Tensor& keys) {
  const at::Tensor y = attention(kernels, {.query = qkv(x.branch),
                                           .heads = shape.heads,
                                           .causal = causal,
                                           .dropout = is_training() ? shape.attention_dropout : 0,
                                           .keys = keys});
  return linear_add_norm(output, y, x.shortcut, is_training() ? shape.dropout : 0, norm);
}

FeedForwardImpl::FeedForwardImpl(const TrainingContext& context, const LayerShape& layer_shape)
    : shape(layer_shape),
      expand(register_module("expand", Linear(context, shape.width, shape.feed_forward))),
      contract(register_module("contract", Linear(context, shape.feed_forward, shape.width))),
      norm(register_module("norm", LayerNorm(context, shape.width, shape.norm_epsilon))) {}

Fork FeedForwardImpl::forward(const Fork& x) {
  const at::Tensor y = linear_activation(expand, x.branch, shape.activation);
  return linear_add_norm(contract, y, x.shortcut, is_training() ? shape.dropout : 0, norm);
}

EncoderLayerImpl::EncoderLayerImpl(const TrainingContext& context, const LayerShape& shape)
    : attention(register_module("attention", SelfAttention(context, shape, /*causal=*/false))),
      feed_forward(register_module("feed_forward", FeedForward(context, shape))) {}

Fork EncoderLayerImpl::forward(const Fork& x, const at::Tensor& keys) {
  return feed_forward(attention(x, keys));
}

}  // namespace trainmark::train
