#include <torch/types.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

constexpr std::int64_t head_width = 64;

struct AttentionCase {
  std::int64_t sequences;
  std::int64_t queries;
  std::int64_t keys;
  std::int64_t heads;
  bool causal;
  bool packed;  // queries, keys and values in one tensor
};

/// By the book, of heads side by side.
at::Tensor definition(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                      std::int64_t heads, bool causal) {
  const auto split = [&](const at::Tensor& x) {
    return x.unflatten(-1, {heads, -1}).transpose(1, 2);
  };
  at::Tensor scores = split(query).matmul(split(key).transpose(-1, -2)) / 8;  // √64
  if (causal) {
    const at::Tensor later =
        at::ones({query.size(1), key.size(1)}, query.options().dtype(at::kBool)).triu(1);
    scores = scores.masked_fill(later, -INFINITY);
  }
  return scores.softmax(-1).matmul(split(value)).transpose(1, 2).flatten(-2);
}

class AttentionOnGpu : public OnGpu {
 protected:
  static Tensors inputs_of(const AttentionCase& shape, at::ScalarType type) {
    const auto options = at::TensorOptions(at::kCUDA).dtype(type);
    const std::int64_t width = shape.heads * head_width;
    if (shape.packed) return {torch::randn({shape.sequences, shape.queries, 3 * width}, options)};
    return {torch::randn({shape.sequences, shape.queries, width}, options),
            torch::randn({shape.sequences, shape.keys, 2 * width}, options)};
  }

  at::Tensor layer(const Tensors& inputs, const AttentionCase& shape, double dropout = 0) {
    return accelerator->kernels().attention({.query = inputs[0],
                                             .key_value = shape.packed ? at::Tensor() : inputs[1],
                                             .heads = shape.heads,
                                             .causal = shape.causal,
                                             .dropout = dropout});
  }

  static at::Tensor definition_of(const Tensors& inputs, const AttentionCase& shape) {
    const Tensors parts = shape.packed ? inputs[0].chunk(3, -1) : inputs[1].chunk(2, -1);
    if (shape.packed) return definition(parts[0], parts[1], parts[2], shape.heads, shape.causal);
    return definition(inputs[0], parts[0], parts[1], shape.heads, shape.causal);
  }
};

// Whole and broken tiles of queries and of keys, one token, more keys than queries and the reverse.
const std::vector<AttentionCase> attention_cases = {
    {2, 128, 128, 3, false, true}, {3, 32, 32, 2, true, true},   {2, 128, 128, 2, true, true},
    {1, 1, 1, 1, false, true},     {2, 7, 7, 3, true, true},     {2, 50, 50, 1, false, true},
    {1, 100, 100, 2, true, true},  {2, 32, 32, 4, false, false}, {2, 5, 128, 2, false, false},
    {2, 128, 5, 2, false, false},  {1, 17, 33, 3, false, false}, {1, 64, 64, 1, false, false}};

std::string name_of(const AttentionCase& shape, at::ScalarType type) {
  return text_of({shape.sequences, shape.queries, shape.keys, shape.heads}, type) +
         (shape.causal ? " causal" : "") + (shape.packed ? " packed" : "");
}

TEST_F(AttentionOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const AttentionCase& shape : attention_cases) {
    for (const at::ScalarType type : {at::kHalf, at::kBFloat16}) {
      expect_same_layer(
          name_of(shape, type), inputs_of(shape, type),
          [&](const Tensors& inputs) { return layer(inputs, shape); },
          [&](const Tensors& inputs) { return definition_of(inputs, shape); }, rounding_of(type));
    }
  }
}

TEST_F(AttentionOnGpu, RepeatsBitByBit) {
  torch::manual_seed(2);
  for (const AttentionCase& shape : attention_cases) {
    const Tensors inputs = inputs_of(shape, at::kHalf);
    const at::Tensor gradient = torch::randn_like(layer(inputs, shape));
    const Layer ours = [&](const Tensors& given) { return layer(given, shape); };
    const Tensors first = outcome_of(inputs, gradient, ours);
    const Tensors second = outcome_of(inputs, gradient, ours);
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_TRUE(at::equal(first[i], second[i])) << name_of(shape, at::kHalf) << ", " << i;
    }
  }
}

/// The keys are all alike, so that a weight is 1 / keys, and the values are rows of the unit
/// matrix: the result shows every weight after dropout.
TEST_F(AttentionOnGpu, DropsTheShareItIsToldAndScalesTheRest) {
  torch::manual_seed(3);
  const auto options = at::TensorOptions(at::kCUDA).dtype(at::kHalf);
  const AttentionCase shape{64, 64, 64, 2, false, false};
  const at::Tensor value = at::eye(64, options).repeat({64, 1, 2});
  const Tensors inputs = {torch::randn({64, 64, 128}, options),
                          at::cat({at::zeros_like(value), value}, -1)};
  const at::Tensor gradient = torch::randn({64, 64, 128}, options);
  const Tensors outcome =
      outcome_of(inputs, gradient, [&](const Tensors& given) { return layer(given, shape, 0.1); });
  const at::Tensor weights = outcome[0].unflatten(-1, {2, 64}).transpose(1, 2);
  const at::Tensor kept = weights.ne(0);
  EXPECT_NEAR(kept.to(at::kFloat).mean().item<float>(), 0.9, 0.003);
  EXPECT_LT(distance(weights, kept.to(at::kFloat) / 0.9 / 64), 1e-3);
  // The gradients are those of the same choice.
  const Tensors truth =
      outcome_of(in_doubles(inputs), gradient.to(at::kDouble), [&](const Tensors& given) {
        const auto split = [](const at::Tensor& x) {
          return x.unflatten(-1, {2, 64}).transpose(1, 2);
        };
        const Tensors parts = given[1].chunk(2, -1);
        const at::Tensor scores = split(given[0]).matmul(split(parts[0]).transpose(-1, -2)) / 8;
        return (scores.softmax(-1) * kept / 0.9)
            .matmul(split(parts[1]))
            .transpose(1, 2)
            .flatten(-2);
      });
  for (std::size_t i = 0; i < truth.size(); ++i) {
    EXPECT_LT(distance(outcome[i], truth[i]), rounding_of(at::kHalf)) << i;
  }
}

TEST_F(AttentionOnGpu, DrawsAnewEveryTime) {
  torch::manual_seed(4);
  const AttentionCase shape{2, 32, 32, 2, false, true};
  const Tensors inputs = inputs_of(shape, at::kHalf);
  torch::manual_seed(5);
  const at::Tensor first = layer(inputs, shape, 0.5);
  EXPECT_FALSE(at::equal(layer(inputs, shape, 0.5), first));
  torch::manual_seed(5);
  EXPECT_TRUE(at::equal(layer(inputs, shape, 0.5), first));
}

}  // namespace
}  // namespace trainmark::train
