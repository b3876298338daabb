#include <torch/torch.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

class ReflectOnGpu : public OnGpu {};

TEST_F(ReflectOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const auto& shape :
       std::vector<std::vector<std::int64_t>>{{2, 64, 16, 16}, {1, 8, 4, 5}, {3, 256, 9, 7}}) {
    for (const std::int64_t border : {1, 3}) {
      for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
        const at::Tensor x = torch::randn(shape, at::TensorOptions(at::kCUDA).dtype(type))
                                 .contiguous(at::MemoryFormat::ChannelsLast);
        expect_same_layer(
            text_of(shape, type), {x},
            [&](const Tensors& inputs) {
              return accelerator->kernels().reflect(inputs[0], border);
            },
            [&](const Tensors& inputs) {
              return at::reflection_pad2d(inputs[0], {border, border, border, border});
            },
            rounding_of(type));
      }
    }
  }
}

}  // namespace
}  // namespace trainmark::train
