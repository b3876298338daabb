#include <torch/types.h>

#include "layer_check.h"
#include "layers/convolution.h"
#include "support.h"

namespace trainmark::train {
namespace {

using FoldOnGpu = OnGpu;

at::Tensor image_on_gpu(at::IntArrayRef shape, at::ScalarType type) {
  return torch::randn(shape, at::TensorOptions(at::kCUDA).dtype(type));
}

TEST_F(FoldOnGpu, MakesOnePixelOfFour) {
  torch::manual_seed(1);
  for (const auto& shape :
       std::vector<std::vector<std::int64_t>>{{2, 3, 8, 6}, {1, 1, 2, 2}, {3, 4, 10, 300}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      for (const at::MemoryFormat format :
           {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
        const at::Tensor x = image_on_gpu(shape, at::kFloat).contiguous(format);
        const at::Tensor y =
            accelerator->kernels().fold(x, {.type = type, .channels = 16, .before = 2, .after = 1});
        // pixel_unshuffle has the four pixels innermost.
        const at::Tensor folded = at::pixel_unshuffle(x.contiguous(), 2)
                                      .unflatten(1, {shape[1], 4})
                                      .transpose(1, 2)
                                      .flatten(1, 2);
        const at::Tensor truth =
            at::constant_pad_nd(folded, {2, 1, 2, 1, 0, 16 - 4 * shape[1]}).to(type);
        EXPECT_TRUE(at::equal(y, truth)) << text_of(shape, type);
      }
    }
  }
}

TEST_F(FoldOnGpu, ConvolutionsOfFewChannelsAgreeWithTheDefinition) {
  torch::manual_seed(2);
  TrainingContext context;
  context.kernels = accelerator->kernels();
  struct Shape {
    std::vector<std::int64_t> x;
    std::int64_t kernel;
  };
  for (const Shape& shape : std::vector<Shape>{
           {{2, 3, 16, 20}, 7}, {{1, 4, 2, 2}, 7}, {{3, 1, 10, 6}, 3}, {{2, 3, 9, 8}, 7}}) {
    for (const at::ScalarType type : {at::kHalf, at::kBFloat16}) {
      Convolution layer(context, shape.x[1], 24, shape.kernel, ConvolutionShape{.stride = 2});
      layer->to(at::kCUDA, type);
      const at::Tensor x =
          image_on_gpu(shape.x, at::kFloat).to(type).contiguous(at::MemoryFormat::ChannelsLast);
      const at::Tensor& weight = layer->weight;
      const at::Tensor wide = weight.detach().to(at::kDouble).set_requires_grad(true);
      const at::Tensor y = layer->forward(x).values;
      const at::Tensor truth = at::conv2d(x.to(at::kDouble), wide, {}, 2, shape.kernel / 2);
      ASSERT_EQ(y.sizes(), truth.sizes());
      EXPECT_LT(distance(y, truth), rounding_of(type)) << text_of(shape.x, type);
      const at::Tensor gradient = torch::randn_like(y);
      y.backward(gradient);
      truth.backward(gradient.to(at::kDouble));
      EXPECT_LT(distance(weight.grad(), wide.grad()), rounding_of(type)) << text_of(shape.x, type);
    }
  }
}

}  // namespace
}  // namespace trainmark::train
