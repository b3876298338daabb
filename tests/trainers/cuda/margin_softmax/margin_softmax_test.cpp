#include <torch/types.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

constexpr double test_margin = 0.5;

class MarginSoftmaxOnGpu : public OnGpu {
 protected:
  at::Tensor ours(const Tensors& inputs, const at::Tensor& labels, double scale) {
    return accelerator->kernels().margin_softmax({.directions = inputs[0],
                                                  .classes = inputs[1],
                                                  .labels = labels,
                                                  .margin = test_margin,
                                                  .scale = scale});
  }
};

/// As the paper writes it, over the angles themselves; in doubles, as near 0 and π they are
/// delicate.
at::Tensor definition(const Tensors& inputs, const at::Tensor& labels, double scale) {
  const at::Tensor cosines =
      inputs[0].mm((inputs[1] / inputs[1].norm(2, 1, /*keepdim=*/true)).t()).clamp(-1, 1);
  const at::Tensor angles = cosines.acos();
  const at::Tensor with_margin =
      at::where(angles > M_PI - test_margin, cosines - test_margin * std::sin(test_margin),
                (angles + test_margin).cos());
  const at::Tensor right = at::one_hot(labels, inputs[1].size(0)).to(at::kBool);
  return at::cross_entropy_loss(scale * at::where(right, with_margin, cosines), labels);
}

struct MarginCase {
  std::int64_t items;
  std::int64_t classes;
  std::int64_t width;
};

// Classes that fill 16 bytes and that do not, fewer than these, more than a block takes; one item,
// and more than a block's threads share.
const std::vector<MarginCase> margin_cases = {
    {1, 8, 8}, {1, 1, 8}, {3, 5, 16}, {33, 100, 40}, {7, 1003, 64}, {128, 4097, 32}, {5, 513, 8}};

TEST_F(MarginSoftmaxOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const auto& [items, classes, width] : margin_cases) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const auto options = at::TensorOptions(at::kCUDA);
      const at::Tensor vectors = torch::randn({classes, width}, options);
      const at::Tensor labels = torch::randint(classes, {items}, options.dtype(at::kLong));
      at::Tensor directions = torch::randn({items, width}, options);
      // One close to its class, one beyond π − margin. Alone, the first would have hardly a loss.
      if (items > 2) {
        directions[1] = vectors[labels[1].item<std::int64_t>()] + 0.3 * directions[1];
        directions[2] = 0.1 * directions[2] - vectors[labels[2].item<std::int64_t>()];
      }
      directions /= directions.norm(2, 1, /*keepdim=*/true);
      // The scale multiplies the rounding of the products as well.
      const double scale = type == at::kFloat ? 64 : 4;
      expect_same_layer(
          text_of({items, classes, width}, type), {directions.to(type), vectors.to(type)},
          [&](const Tensors& inputs) { return ours(inputs, labels, scale); },
          [&](const Tensors& inputs) { return definition(inputs, labels, scale); },
          type == at::kFloat ? 1e-4 : 2 * rounding_of(type));
    }
  }
}

TEST_F(MarginSoftmaxOnGpu, RepeatsBitByBit) {
  torch::manual_seed(2);
  const auto options = at::TensorOptions(at::kCUDA).dtype(at::kHalf);
  const Tensors inputs = {torch::randn({64, 64}, options), torch::randn({5003, 64}, options)};
  const at::Tensor labels = torch::randint(5003, {64}, options.dtype(at::kLong));
  const auto layer = [&](const Tensors& given) { return ours(given, labels, 8); };
  const at::Tensor gradient = torch::ones({}, options);
  const Tensors first = outcome_of(inputs, gradient, layer);
  const Tensors second = outcome_of(inputs, gradient, layer);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(at::equal(first[i], second[i])) << i;
}

}  // namespace
}  // namespace trainmark::train
