#include "engine/flops.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace trainmark::train {
namespace {

namespace F = torch::nn::functional;

TEST(Flops, CountsMatrixProducts) {
  const at::Tensor a = torch::rand({3, 5});
  const at::Tensor b = torch::rand({5, 7});
  EXPECT_EQ(count_flops([&] { a.matmul(b); }), 2 * 3 * 5 * 7);
  EXPECT_EQ(count_flops([&] {
              torch::linear(a, torch::rand({7, 5}), torch::rand({7}));
            }),
            2 * 3 * 5 * 7);
  EXPECT_EQ(count_flops([&] {
              torch::rand({4, 3, 5}).matmul(torch::rand({4, 5, 7}));
            }),
            2 * 4 * 3 * 5 * 7);
}

TEST(Flops, CountsConvolutions) {
  const at::Tensor x = torch::rand({2, 8, 10, 10});
  EXPECT_EQ(count_flops([&] {
              torch::conv2d(x, torch::rand({16, 8, 3, 3}), {}, 1, 1);
            }),
            2 * (2 * 16 * 10 * 10) * (8 * 3 * 3));
  EXPECT_EQ(count_flops([&] {
              torch::conv2d(x, torch::rand({16, 8, 3, 3}), {}, 2, 1);
            }),
            2 * (2 * 16 * 5 * 5) * (8 * 3 * 3));
  EXPECT_EQ(count_flops([&] {
              torch::conv2d(x, torch::rand({16, 2, 3, 3}), {}, 1, 1, 1, 4);
            }),
            2 * (2 * 16 * 10 * 10) * (2 * 3 * 3));
  EXPECT_EQ(count_flops([&] {
              torch::conv_transpose2d(x, torch::rand({8, 4, 2, 2}), {}, 2);
            }),
            2 * (2 * 8 * 10 * 10) * (4 * 2 * 2));
}

TEST(Flops, CountsAttentionOnceFusedOrNot) {
  const at::NoGradGuard no_grad;
  const at::Tensor query = torch::rand({2, 3, 5, 8});
  const at::Tensor key = torch::rand({2, 3, 7, 8});
  const at::Tensor value = torch::rand({2, 3, 7, 8});
  const std::int64_t expected = 2 * (2 * 3 * 5 * 7) * (8 + 8);
  const auto count = [&](double dropout, bool causal) {
    return count_flops(
        [&] { torch::scaled_dot_product_attention(query, key, value, {}, dropout, causal); });
  };
  EXPECT_EQ(count_flops([&] { query.matmul(key.transpose(-1, -2)).softmax(-1).matmul(value); }),
            expected);
  EXPECT_EQ(count(/*dropout=*/0, /*causal=*/false), expected);    // one operator
  EXPECT_EQ(count(/*dropout=*/0, /*causal=*/true), expected);     // what is hidden counts
  EXPECT_EQ(count(/*dropout=*/0.1, /*causal=*/false), expected);  // on a CPU: many operators
}

TEST(Flops, CountsNothingElse) {
  EXPECT_EQ(count_flops([] { torch::rand({100}).relu().sum(); }), 0);
}

}  // namespace
}  // namespace trainmark::train
