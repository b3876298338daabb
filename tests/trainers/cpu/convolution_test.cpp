#include "cpu/convolution.h"

#include <ATen/ops/conv2d.h>
#include <torch/types.h>

#include "layer_check.h"

namespace trainmark::train {
namespace {

struct ConvolutionCase {
  std::vector<std::int64_t> x;  // [N, in, height, width]
  std::int64_t out;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;
  std::int64_t groups = 1;
};

Tensors inputs_of(const ConvolutionCase& that) {
  const auto format = at::MemoryFormat::ChannelsLast;
  const std::int64_t in = that.x[1] / that.groups;
  return {torch::randn(that.x).contiguous(format),
          torch::randn({that.out, in, that.kernel, that.kernel}).contiguous(format)};
}

at::Tensor by_cpu(const ConvolutionCase& that, const Tensors& inputs) {
  return cpu_convolution(inputs[0], {.weight = inputs[1],
                                     .stride = that.stride,
                                     .padding = that.padding,
                                     .dilation = that.dilation,
                                     .groups = that.groups})
      .values;
}

at::Tensor by_definition(const ConvolutionCase& that, const Tensors& inputs) {
  return at::conv2d(inputs[0], inputs[1], /*bias=*/{}, that.stride, that.padding, that.dilation,
                    that.groups);
}

void expect_definition(const ConvolutionCase& that, const Tensors& inputs) {
  expect_same_layer(
      text_of(that.x, at::kFloat) + " to " + std::to_string(that.out) + ", kernel " +
          std::to_string(that.kernel) + ", stride " + std::to_string(that.stride),
      inputs, [&](const Tensors& given) { return by_cpu(that, given); },
      [&](const Tensors& given) { return by_definition(that, given); }, rounding_of(at::kFloat));
}

bool are_products(const ConvolutionCase& that) {
  Tensors inputs = inputs_of(that);
  inputs[1].set_requires_grad(true);
  return by_cpu(that, inputs).grad_fn()->name().find("ProductConvolution") != std::string::npos;
}

TEST(ConvolutionsOnCpu, AgreeWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const ConvolutionCase& that :
       std::vector<ConvolutionCase>{{{2, 16, 5, 7}, 24},             // points
                                    {{2, 16, 5, 7}, 24, 1, 2},       // every second of them
                                    {{1, 16, 6, 6}, 24, 1, 3},       // with a rest behind the last
                                    {{3, 5, 4, 4}, 7, 1, 1, 1},      // with a border of zeros
                                    {{2, 16, 1, 1}, 24},             // one pixel
                                    {{2, 6, 5, 7}, 10, 3, 1, 1},     // windows
                                    {{2, 6, 5, 7}, 10, 3, 1, 0},     // inside the image
                                    {{2, 6, 8, 7}, 10, 3, 2, 1},     // every second place
                                    {{1, 6, 9, 9}, 10, 3, 1, 2, 2},  // with gaps
                                    {{1, 3, 20, 18}, 8, 7, 2, 3},    // large ones
                                    {{2, 8, 4, 4}, 8, 1, 2},         // few channels
                                    {{2, 16, 17, 17}, 8, 1},         // more pixels than products
                                    {{2, 8, 6, 6}, 8, 3, 1, 1, 1, 4}}) {  // in groups
    expect_definition(that, inputs_of(that));
  }
}

TEST(ConvolutionsOnCpu, AreProductsWherePixelsAreFew) {
  EXPECT_TRUE(are_products({{2, 16, 16, 16}, 8}));
  EXPECT_TRUE(are_products({{2, 16, 32, 32}, 8, 3, 2, 1}));
  EXPECT_FALSE(are_products({{2, 16, 16, 17}, 8}));
  EXPECT_FALSE(are_products({{2, 16, 4, 4}, 8, 3, 1, 1, 1, 2}));
}

TEST(ConvolutionsOnCpu, TakeImagesInAnyOrder) {
  torch::manual_seed(2);
  const ConvolutionCase that{{2, 16, 5, 7}, 24, 3, 1, 1};
  Tensors inputs = inputs_of(that);
  inputs[0] = inputs[0].contiguous();
  expect_definition(that, inputs);
  inputs[1] = inputs[1].contiguous();
  expect_definition(that, inputs);
}

TEST(ConvolutionsOnCpu, GiveGradientsAsTheirWeightsLie) {
  for (const std::int64_t kernel : {1, 3}) {
    const ConvolutionCase that{{2, 16, 5, 7}, 24, kernel, 1, kernel / 2};
    Tensors inputs = inputs_of(that);
    inputs[1].set_requires_grad(true);
    by_cpu(that, inputs).sum().backward();
    EXPECT_EQ(inputs[1].grad().strides(), inputs[1].strides());
  }
}

}  // namespace
}  // namespace trainmark::train
