#pragma once

#include <memory>

#include "distributed/distributed.h"
#include "kernels/kernels.h"

namespace trainmark::train {

/// What layers need to know of the job that they are trained in. They are made with it and keep
/// what they need. The default is a rank alone, on a device without kernels of ours.
struct TrainingContext {
  Kernels kernels = {};
  std::shared_ptr<World> world = std::make_shared<World>();
  bool sync_norms = false;  // a batch norm's batch is that of all ranks together
};

}  // namespace trainmark::train
