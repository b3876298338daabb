#include "cpu/prelu.h"

#include <ATen/ops/prelu.h>
#include <torch/types.h>

#include "layer_check.h"

namespace trainmark::train {
namespace {

TEST(PreluOnCpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const std::vector<std::int64_t>& shape :
       std::vector<std::vector<std::int64_t>>{{2, 5, 7, 3}, {1, 64, 1, 1}, {3, 37, 8, 8}}) {
    for (const auto format : {at::MemoryFormat::ChannelsLast, at::MemoryFormat::Contiguous}) {
      at::Tensor x = torch::randn(shape).contiguous(format);
      x[0][0][0][0] = 0;  // belongs to the slope
      expect_same_layer(
          text_of(shape, at::kFloat), {x, torch::randn({shape[1]})},
          [](const Tensors& given) { return cpu_prelu(given[0], given[1]); },
          [](const Tensors& given) { return at::prelu(given[0], given[1]); },
          rounding_of(at::kFloat));
    }
  }
}

TEST(PreluOnCpu, HidesNoOverflow) {
  const at::Tensor x = at::full({1, 4, 2, 2}, NAN).set_requires_grad(true);
  const at::Tensor slope = at::full({4}, 0.25).set_requires_grad(true);
  cpu_prelu(x, slope).sum().backward();
  EXPECT_TRUE(slope.grad().isnan().all().item<bool>());
}

}  // namespace
}  // namespace trainmark::train
