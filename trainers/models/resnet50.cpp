// ResNet-50 v1.5 (He et al. 2016, table 1; v1.5: the 3×3 convolution of a block has the stride).

#include "models/classification.h"

namespace trainmark::train {
namespace {

const Registration<RegisteredWorkload> registered(
    "resnet50",
    classification("resnet50", "ResNet-50 v1.5",
                   {{"full", {.batch = 128, .side = 224, .classes = 1000, .network = {}}},
                    {"small", {.batch = 8, .side = 112, .classes = 1000, .network = {}}},
                    {"tiny", {.batch = 8, .side = 64, .classes = 10, .network = {.width = 8}}}}));

}  // namespace
}  // namespace trainmark::train
