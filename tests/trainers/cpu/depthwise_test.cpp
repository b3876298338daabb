#include "cpu/depthwise.h"

#include <ATen/ops/conv2d.h>
#include <torch/types.h>

#include "layer_check.h"

namespace trainmark::train {
namespace {

TEST(DepthwiseOnCpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  struct Case {
    std::vector<std::int64_t> shape;
    std::int64_t dilation;
  };
  // One pixel, one row, one column; fewer rows and columns than the dilation, as many, with a rest;
  // more channels than a thread takes.
  for (const Case& that : std::vector<Case>{{{1, 3, 1, 1}, 1},
                                            {{2, 8, 1, 7}, 1},
                                            {{2, 5, 7, 1}, 2},
                                            {{3, 8, 5, 4}, 1},
                                            {{3, 24, 5, 4}, 4},
                                            {{2, 24, 9, 11}, 3},
                                            {{2, 150, 6, 5}, 12}}) {
    expect_same_layer(
        text_of(that.shape, at::kFloat) + " dilation " + std::to_string(that.dilation),
        {torch::randn(that.shape).contiguous(at::MemoryFormat::ChannelsLast),
         torch::randn({that.shape[1], 1, 3, 3})},
        [&](const Tensors& given) { return cpu_depthwise(given[0], given[1], that.dilation); },
        [&](const Tensors& given) {
          return at::conv2d(given[0], given[1], /*bias=*/{}, /*stride=*/1,
                            /*padding=*/that.dilation, that.dilation, /*groups=*/that.shape[1]);
        },
        rounding_of(at::kFloat));
  }
}

}  // namespace
}  // namespace trainmark::train
