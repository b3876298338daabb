#include "engine/describe.h"

#include <torch/version.h>

#include "engine/device.h"
#include "engine/workload.h"

namespace trainmark::train {

Description describe() {
  Description description{
      .framework = "libtorch",
      .versions = {{"libtorch", TORCH_VERSION}, {"trainmark-train", TRAINMARK_TRAINER_VERSION}},
      .devices = find_devices(),
      .workloads = {}};
  for (const auto& [name, registered] : Registry<RegisteredWorkload>::all()) {
    description.workloads.push_back(registered.description);
  }
  return description;
}

}  // namespace trainmark::train
