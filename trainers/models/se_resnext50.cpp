// SE-ResNeXt-50 32×4d (Xie et al. 2017, Hu et al. 2018): a ResNet-50 whose 3×3 convolutions are
// twice as wide and in groups, and whose blocks weigh their channels before they add.

#include "models/classification.h"

namespace trainmark::train {
namespace {

constexpr ResNetOptions network(std::int64_t width, std::int64_t groups) {
  return {.width = width, .inner = 2, .groups = groups, .squeeze = true};
}

const Registration<RegisteredWorkload> registered(
    "se_resnext50",
    classification(
        "se_resnext50", "SE-ResNeXt-50 32×4d",
        {{"full", {.batch = 128, .side = 224, .classes = 1000, .network = network(64, 32)}},
         {"small", {.batch = 4, .side = 112, .classes = 1000, .network = network(64, 32)}},
         {"tiny", {.batch = 8, .side = 64, .classes = 10, .network = network(8, 4)}}}));

}  // namespace
}  // namespace trainmark::train
