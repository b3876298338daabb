#include <torch/types.h>

#include "engine/precision.h"
#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

using StretchOnGpu = OnGpu;

struct StretchCase {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> size;
};

// Once, twice, four and eight times as large, by odd factors, from one pixel, smaller; channels
// that threads read at once, and others.
const std::vector<StretchCase> stretch_cases = {
    {{2, 8, 5, 7}, {5, 7}},        {{1, 19, 4, 8}, {16, 32}},   {{2, 16, 16, 12}, {32, 24}},
    {{1, 3, 5, 9}, {40, 72}},      {{2, 8, 5, 7}, {13, 17}},    {{1, 8, 1, 1}, {9, 6}},
    {{1, 5, 1, 1}, {1, 1}},        {{2, 24, 11, 10}, {4, 3}},   {{1, 8, 1, 6}, {1, 23}},
    {{4, 19, 32, 64}, {128, 256}}, {{1, 512, 16, 8}, {32, 16}}, {{1, 6, 3, 300}, {5, 600}}};

TEST_F(StretchOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const StretchCase& that : stretch_cases) {
    for (const at::MemoryFormat format :
         {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
      for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
        const at::Tensor x =
            torch::randn(that.shape, at::TensorOptions(at::kCUDA).dtype(type)).contiguous(format);
        expect_same_layer(
            text_of(that.shape, type) + (format == at::MemoryFormat::Contiguous ? "" : " NHWC"),
            {x},
            [&](const Tensors& inputs) {
              return accelerator->kernels().stretch(inputs[0], that.size);
            },
            [&](const Tensors& inputs) {
              return at::upsample_bilinear2d(inputs[0], that.size, /*align_corners=*/false);
            },
            rounding_of(type));
      }
    }
  }
}

TEST_F(StretchOnGpu, RepeatsBitByBit) {
  for (const at::MemoryFormat format :
       {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
    const at::Tensor x = torch::randn({2, 64, 32, 48}, at::kCUDA).contiguous(format);
    const at::Tensor gradient = torch::randn({2, 64, 128, 192}, at::kCUDA);
    const auto layer = [&](const Tensors& given) {
      return accelerator->kernels().stretch(given[0], {128, 192});
    };
    const Tensors first = outcome_of({x}, gradient, layer);
    const Tensors second = outcome_of({x}, gradient, layer);
    EXPECT_TRUE(at::equal(first[1], second[1]));
  }
}

TEST_F(StretchOnGpu, KeepsTheTypeOfItsImageUnderAutocast) {
  for (const char* precision : {"amp-fp16", "amp-bf16"}) {
    const PrecisionScope scope(precision, at::Device(at::kCUDA));
    const at::Tensor x =
        torch::randn({2, 8, 5, 7}, at::TensorOptions(at::kCUDA).dtype(product_type(precision)))
            .set_requires_grad(true);
    const at::Tensor y = accelerator->kernels().stretch(x, {10, 14});
    EXPECT_EQ(y.scalar_type(), x.scalar_type()) << precision;
    y.sum().backward();
    EXPECT_EQ(x.grad().scalar_type(), x.scalar_type()) << precision;
  }
}

}  // namespace
}  // namespace trainmark::train
