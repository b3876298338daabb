#include "engine/describe.h"

#include <torch/version.h>

#include "engine/device.h"
#include "engine/precision.h"
#include "engine/workload.h"

namespace trainmark::train {

Description describe() {
  Description description{
      .framework = "libtorch",
      .versions = {{"libtorch", TORCH_VERSION}, {"trainmark-train", TRAINMARK_TRAINER_VERSION}},
      .devices = find_devices(),
      .workloads = {}};
  for (const auto& [name, registered] : Registry<RegisteredWorkload>::all()) {
    WorkloadDescription& workload = description.workloads.emplace_back(registered.description);
    // The same for all: the engine does them. A graph is a step recorded once and then replayed.
    workload.modes = {"eager", "graph"};
    workload.mode_devices = {{"graph", {"cuda"}}};
    workload.precisions = all_precisions();
    workload.several_ranks = true;
  }
  return description;
}

}  // namespace trainmark::train
