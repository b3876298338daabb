// SE-ResNeXt-50 32×4d (Xie et al. 2017, Hu et al. 2018): a ResNet-50 whose 3×3 convolutions are
// twice as wide and in groups, and whose blocks weigh their channels before they add.

#include "models/classification.h"

namespace trainmark::train::se_resnext50 {
namespace {

std::unique_ptr<Workload> make(const WorkloadSetup& setup) {
  return classification(setup, {.width = setup.size().at("width"),
                                .inner = 2,
                                .groups = setup.size().at("groups"),
                                .squeeze = true});
}

const Registration<RegisteredWorkload> registered("se_resnext50", {make});

}  // namespace
}  // namespace trainmark::train::se_resnext50
