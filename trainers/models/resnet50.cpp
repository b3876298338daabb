// ResNet-50 v1.5 (He et al. 2016, table 1; v1.5: the 3×3 convolution of a block has the stride).

#include "models/classification.h"

namespace trainmark::train::resnet50 {
namespace {

std::unique_ptr<Workload> make(const WorkloadSetup& setup) {
  return classification(setup, {.width = setup.size().at("width")});
}

const Registration<RegisteredWorkload> registered("resnet50", {make});

}  // namespace
}  // namespace trainmark::train::resnet50
