#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

#include "layers/transformer.h"

namespace trainmark::train {

/// What all layers of a post-norm transformer have in common.
struct LayerShape {
  std::int64_t width;
  std::int64_t heads;
  std::int64_t feed_forward;  // width inside
  Activation activation;
  double dropout;            // on what a sub-layer adds
  double attention_dropout;  // on the attention's weights
  double norm_epsilon;
};

// Each sub-layer gives its result to the branch and the shortcut of the next one.

/// norm(x + dropout(attention of x to itself)). `qkv` has the rows of query, key and value. `keys`:
/// which tokens are no padding, where there is some.
struct SelfAttentionImpl : torch::nn::Module {
  SelfAttentionImpl(const TrainingContext& context, const LayerShape& shape, bool causal);
  Fork forward(const Fork& x, const at::Tensor& keys = {});

  Kernels kernels;
  LayerShape shape;
  bool causal;
  Linear qkv;
  Linear output;
  LayerNorm norm;
};
TORCH_MODULE(SelfAttention);

/// norm(x + dropout(contract(activation(expand(x))))).
struct FeedForwardImpl : torch::nn::Module {
  FeedForwardImpl(const TrainingContext& context, const LayerShape& shape);
  Fork forward(const Fork& x);

  LayerShape shape;
  Linear expand;
  Linear contract;
  LayerNorm norm;
};
TORCH_MODULE(FeedForward);

/// Both sub-layers, one upon the other.
struct EncoderLayerImpl : torch::nn::Module {
  EncoderLayerImpl(const TrainingContext& context, const LayerShape& shape);
  Fork forward(const Fork& x, const at::Tensor& keys = {});

  SelfAttention attention;
  FeedForward feed_forward;
};
TORCH_MODULE(EncoderLayer);

}  // namespace trainmark::train
