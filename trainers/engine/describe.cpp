#include "engine/describe.h"

#include <torch/version.h>

#include "engine/device.h"
#include "engine/precision.h"
#include "input/feed.h"
#include "workload/workload.h"

namespace trainmark::train {

Description describe() {
  Description description{
      .framework = "libtorch",
      .versions = {{"libtorch", TORCH_VERSION}, {"trainmark-train", TRAINMARK_TRAINER_VERSION}},
      .devices = find_devices(),
      .workloads = {}};
  for (const std::string& name : Registry<RegisteredWorkload>::names()) {
    WorkloadDescription& workload = description.workloads.emplace_back();
    const Contract contract = find_contract(name);
    workload.name = name;
    workload.title = contract.title;
    workload.unit = contract.unit;
    for (const Size& size : contract.sizes) {
      SizeDescription& entry = workload.sizes.emplace_back(
          SizeDescription{.name = size.name(), .batch = size.at("batch")});
      for (const auto& [shape, rule] : contract.shapes)
        entry.shapes[shape] = static_cast<double>(size.at(rule.sets.front()));
      if (contract.can("sampled-classes")) entry.shapes["sample_rate"] = 1;
    }
    // The same for all: the engine does them. A graph is a step recorded once and then replayed.
    workload.modes = {"eager", "graph"};
    workload.mode_devices = {{"graph", {"cuda"}}};
    workload.precisions = all_precisions();
    workload.several_ranks = true;
    workload.dropout = contract.dropout.value_or(0);
    workload.data = formats_of(contract.data);
    if (contract.training) {
      workload.quality = {.metric = contract.metric,
                          .higher_is_better = contract.training->better == Better::higher,
                          .target = contract.training->target,
                          .epochs = contract.training->schedule.epochs};
    }
  }
  return description;
}

}  // namespace trainmark::train
