#include "layers/transformer.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace trainmark::train {
namespace {

const Kernels no_kernels;

/// By the book: one head after the other.
at::Tensor plain_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           std::int64_t heads, bool causal) {
  const std::int64_t width = query.size(-1) / heads;
  std::vector<at::Tensor> outputs;
  for (std::int64_t head = 0; head < heads; ++head) {
    const auto part = [&](const at::Tensor& x) { return x.narrow(-1, head * width, width); };
    at::Tensor scores =
        part(query).matmul(part(key).transpose(-1, -2)) / std::sqrt(static_cast<double>(width));
    if (causal) {
      const at::Tensor later = at::ones({query.size(1), key.size(1)}, at::kBool).triu(1);
      scores = scores.masked_fill(later, -INFINITY);
    }
    outputs.push_back(scores.softmax(-1).matmul(part(value)));
  }
  return at::cat(outputs, -1);
}

TEST(Attention, IsThatOfThePaper) {
  const at::Tensor query = torch::randn({2, 5, 24});
  const at::Tensor key = torch::randn({2, 7, 24});
  const at::Tensor value = torch::randn({2, 7, 24});
  const at::Tensor result =
      attention(no_kernels, {.query = query, .key_value = at::cat({key, value}, -1), .heads = 3});
  EXPECT_TRUE(at::allclose(result, plain_attention(query, key, value, 3, false), 1e-4, 1e-5));
}

TEST(Attention, HidesLaterKeysWhereCausal) {
  const at::Tensor x = torch::randn({2, 6, 24});
  const at::Tensor result =
      attention(no_kernels, {.query = at::cat({x, x, x}, -1), .heads = 3, .causal = true});
  EXPECT_TRUE(at::allclose(result, plain_attention(x, x, x, 3, true), 1e-4, 1e-5));
}

TEST(Attention, KeepsTheMeanUnderDropout) {
  const at::Tensor query = torch::randn({1, 4, 8});
  const at::Tensor value = torch::ones({1, 1000, 8});
  const at::Tensor key = torch::zeros({1, 1000, 8});
  const at::Tensor result = attention(
      no_kernels,
      {.query = query, .key_value = at::cat({key, value}, -1), .heads = 2, .dropout = 0.1});
  EXPECT_FALSE(at::equal(result, torch::ones_like(result)));
  EXPECT_NEAR(result.mean().item<double>(), 1, 0.05);
}

TEST(Attention, MeansTheSameWithADropoutOfTheDevice) {
  Kernels kernels;  // whose dropout drops nothing
  kernels.dropout = [](const at::Tensor& weights, double) { return weights; };
  const at::Tensor x = torch::randn({2, 6, 24});
  AttentionArguments arguments{.query = at::cat({x, x, x}, -1), .heads = 3, .dropout = 0.1};
  EXPECT_TRUE(
      at::allclose(attention(kernels, arguments), plain_attention(x, x, x, 3, false), 1e-4, 1e-5));
  arguments.causal = true;
  EXPECT_TRUE(
      at::allclose(attention(kernels, arguments), plain_attention(x, x, x, 3, true), 1e-4, 1e-5));
  arguments.causal = false;
  arguments.keys = tokens_within(at::tensor({4, 4}, at::kLong), 6);
  const at::Tensor within = x.narrow(1, 0, 4);
  EXPECT_TRUE(at::allclose(attention(kernels, arguments),
                           plain_attention(x, within, within, 3, false), 1e-4, 1e-5));
}

TEST(Attention, UsesTheDropoutOfTheDevice) {
  Kernels kernels;
  kernels.dropout = [](const at::Tensor& weights, double rate) { return weights * rate; };
  const at::Tensor x = torch::randn({2, 6, 24});
  const AttentionArguments arguments{.query = at::cat({x, x, x}, -1), .heads = 3, .dropout = 0.5};
  EXPECT_TRUE(at::allclose(attention(kernels, arguments), plain_attention(x, x, x, 3, false) * 0.5,
                           1e-4, 1e-5));
}

}  // namespace
}  // namespace trainmark::train
