#include "layers/transformer.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <cmath>
#include <limits>

namespace trainmark::train {
namespace {

// What the kernel of add_norm takes: 16 bytes at a time, and a row in a warp's registers.
constexpr std::int64_t elements_at_a_time = 8;
constexpr std::int64_t widest_kernel = 2048;
// What the kernel of attention takes, in half precision.
constexpr std::int64_t kernel_head_width = 64;
constexpr std::int64_t longest_kernel = 128;

bool has_kernel(const LayerNorm& norm, const at::Tensor& x) {
  return norm->kernel != nullptr && x.is_cuda() && x.size(-1) % elements_at_a_time == 0 &&
         x.size(-1) <= widest_kernel;
}

bool has_kernel(const Kernels& kernels, const AttentionArguments& arguments, std::int64_t width) {
  const at::Tensor& query = arguments.query;
  const at::Tensor& key = arguments.key_value.defined() ? arguments.key_value : query;
  return kernels.attention != nullptr && !arguments.keys.defined() &&
         c10::isReducedFloatingType(query.scalar_type()) &&
         key.scalar_type() == query.scalar_type() && width == kernel_head_width * arguments.heads &&
         query.size(1) <= longest_kernel && key.size(1) <= longest_kernel;
}

/// Scores, softmax, dropout, sums: what attention means. LibTorch's own does the same where there
/// is dropout on a CPU, with its own random numbers.
at::Tensor attention_with_dropout(const Kernels& kernels, const std::vector<at::Tensor>& parts,
                                  const std::optional<at::Tensor>& mask,
                                  const AttentionArguments& arguments) {
  const at::Tensor& query = parts[0];
  const double scale = 1 / std::sqrt(static_cast<double>(query.size(-1)));
  at::Tensor scores = (query * scale).matmul(parts[1].transpose(-2, -1));
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  if (mask) scores = scores.masked_fill(mask->logical_not(), nothing);
  if (arguments.causal) {
    const at::Tensor later =
        at::ones({query.size(-2), parts[1].size(-2)}, scores.options().dtype(at::kBool))
            .triu(/*diagonal=*/1);
    scores = scores.masked_fill(later, nothing);
  }
  return dropped(kernels, scores.softmax(-1), arguments.dropout).matmul(parts[2]);
}

}  // namespace

LayerNormImpl::LayerNormImpl(const TrainingContext& context, std::int64_t width, double epsilon)
    : torch::nn::LayerNormImpl(torch::nn::LayerNormOptions({width}).eps(epsilon)),
      kernel(context.kernels.add_norm) {}

at::Tensor dropped(const Kernels& kernels, const at::Tensor& x, double rate) {
  if (rate <= 0) return x;
  if (kernels.dropout != nullptr) return kernels.dropout(x, rate);
  return at::dropout(x, rate, /*train=*/true);
}

Fork linear_add_norm(Linear& linear, const at::Tensor& y, const at::Tensor& x, double dropout,
                     LayerNorm& norm) {
  if (!has_kernel(norm, x)) {
    const at::Tensor z = norm(x + dropped(linear->kernels, linear(y), dropout));
    return {.branch = z, .shortcut = z};
  }
  // The gradient of what is added is written by the norm, which sums it for the bias on the way.
  const bool sums_for_bias = linear->has_kernel();
  const at::Tensor added = sums_for_bias
                               ? linear->kernels.linear(y.to(linear->weight.scalar_type()),
                                                        linear->weight, linear->bias.detach())
                               : linear(y);
  return norm->kernel({.x = x,
                       .y = added,
                       .y_bias = sums_for_bias ? linear->bias : at::Tensor(),
                       .weight = norm->weight,
                       .bias = norm->bias,
                       .dropout = dropout,
                       .epsilon = norm->options.eps()});
}

at::Tensor linear_activation(Linear& linear, const at::Tensor& x, Activation activation) {
  if (linear->has_kernel() && linear->kernels.linear_activation != nullptr) {
    return linear->kernels.linear_activation(x.to(linear->weight.scalar_type()), linear->weight,
                                             linear->bias, activation);
  }
  return activation == Activation::relu ? linear(x).relu_() : at::gelu(linear(x));
}

at::Tensor tokens_within(const at::Tensor& lengths, std::int64_t width) {
  // A sentence of nothing has its first token, so that its softmax is over something.
  return at::arange(width, lengths.options()) < lengths.clamp_min(1).unsqueeze(1);
}

at::Tensor attention(const Kernels& kernels, const AttentionArguments& arguments) {
  const bool packed = !arguments.key_value.defined();
  const std::int64_t width = arguments.query.size(-1) / (packed ? 3 : 1);
  if (has_kernel(kernels, arguments, width)) return kernels.attention(arguments);
  std::vector<at::Tensor> parts;
  if (packed) {
    parts = arguments.query.chunk(3, -1);
  } else {
    parts = arguments.key_value.chunk(2, -1);
    parts.insert(parts.begin(), arguments.query);
  }
  for (at::Tensor& part : parts) {  // [N, length, width] → [N, heads, length, …]
    part = part.unflatten(-1, {arguments.heads, -1}).transpose(1, 2);
  }
  std::optional<at::Tensor> mask;  // the same for all heads and queries
  if (arguments.keys.defined()) mask = arguments.keys.unsqueeze(1).unsqueeze(1);
  const at::Tensor y = arguments.dropout > 0 && kernels.dropout != nullptr
                           ? attention_with_dropout(kernels, parts, mask, arguments)
                           : at::scaled_dot_product_attention(parts[0], parts[1], parts[2], mask,
                                                              arguments.dropout, arguments.causal);
  return y.transpose(1, 2).flatten(-2);
}

}  // namespace trainmark::train
