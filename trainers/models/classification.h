#pragma once

#include "engine/workload.h"
#include "layers/resnet.h"

namespace trainmark::train {

struct ClassificationSize {
  std::int64_t batch;
  std::int64_t side;  // of the images
  std::int64_t classes;
  ResNetOptions network;
};

/// A ResNet that tells the class of an image. Weights beside the trunk's: `head.linear`.
RegisteredWorkload classification(const std::string& name, const std::string& title,
                                  const std::map<std::string, ClassificationSize>& sizes);

}  // namespace trainmark::train
