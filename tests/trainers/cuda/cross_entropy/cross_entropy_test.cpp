#include <torch/types.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

class CrossEntropyOnGpu : public OnGpu {
 protected:
  static constexpr std::int64_t ignored_label = -100;

  void expect_same(std::int64_t rows, std::int64_t width, std::int64_t classes, double smoothing,
                   at::ScalarType type, double spread = 3) {
    const at::Tensor logits =
        spread * torch::randn({rows, width}, at::TensorOptions(at::kCUDA).dtype(type));
    at::Tensor labels =
        torch::randint(classes, {rows}, at::TensorOptions(at::kCUDA).dtype(at::kLong));
    if (rows > 2) labels[1] = ignored_label;
    expect_same_layer(
        text_of({rows, width, classes}, type), {logits},
        [&](const Tensors& inputs) {
          return accelerator->kernels().cross_entropy({.logits = inputs[0],
                                                       .labels = labels,
                                                       .classes = classes,
                                                       .smoothing = smoothing,
                                                       .ignored = ignored_label});
        },
        [&](const Tensors& inputs) {
          return at::cross_entropy_loss(inputs[0].narrow(1, 0, classes), labels, {},
                                        at::Reduction::Mean, ignored_label, smoothing);
        },
        rounding_of(type));
  }
};

TEST_F(CrossEntropyOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
    for (const double smoothing : {0.0, 0.1}) {
      expect_same(1, 8, 8, smoothing, type);
      expect_same(33, 16, 10, smoothing, type);  // padding
      expect_same(64, 1000, 1000, smoothing, type);
      expect_same(3, 30528, 30522, smoothing, type);
    }
  }
}

TEST_F(CrossEntropyOnGpu, TakesAPlaneForEachClass) {
  torch::manual_seed(3);
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {2, 19, 5, 7}, {8, 3, 1, 1}, {3, 21, 33, 40}, {2, 19, 64, 128}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      for (const double smoothing : {0.0, 0.1}) {
        const auto options = at::TensorOptions(at::kCUDA);
        const at::Tensor logits = 3 * torch::randn(shape, options.dtype(type));
        at::Tensor labels =
            torch::randint(shape[1], {shape[0], shape[2], shape[3]}, options.dtype(at::kLong));
        if (shape[2] > 1) labels.select(1, 1).fill_(ignored_label);
        expect_same_layer(
            text_of(shape, type), {logits},
            [&](const Tensors& inputs) {
              return accelerator->kernels().cross_entropy({.logits = inputs[0],
                                                           .labels = labels,
                                                           .classes = shape[1],
                                                           .smoothing = smoothing,
                                                           .ignored = ignored_label});
            },
            [&](const Tensors& inputs) {
              return at::cross_entropy_loss(inputs[0], labels, {}, at::Reduction::Mean,
                                            ignored_label, smoothing);
            },
            rounding_of(type));
      }
    }
  }
}

TEST_F(CrossEntropyOnGpu, LargeLogitsDoNotOverflow) {
  torch::manual_seed(2);
  expect_same(16, 4096, 4096, 0, at::kFloat, /*spread=*/1000);
}

TEST_F(CrossEntropyOnGpu, PaddingHasNoGradient) {
  const at::Tensor logits =
      torch::randn({4, 16}, at::TensorOptions(at::kCUDA)).set_requires_grad(true);
  const at::Tensor labels = torch::zeros({4}, at::TensorOptions(at::kCUDA).dtype(at::kLong));
  accelerator->kernels()
      .cross_entropy({.logits = logits, .labels = labels, .classes = 11})
      .backward();
  EXPECT_TRUE(logits.grad().narrow(1, 11, 5).eq(0).all().item<bool>());
  EXPECT_TRUE(logits.grad().narrow(1, 0, 11).ne(0).all().item<bool>());
}

}  // namespace
}  // namespace trainmark::train
