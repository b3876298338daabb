#pragma once

#include "layers/resnet.h"
#include "workload/workload.h"

namespace trainmark::train {

/// Training a ResNet that tells the class of an image. Weights beside the trunk's: `head.linear`.
std::unique_ptr<Workload> classification(const WorkloadSetup& setup, const ResNetOptions& network);

}  // namespace trainmark::train
