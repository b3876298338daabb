#include "common/listing.h"

#include <fmt/format.h>

#include "base/text.h"

namespace trainmark::train {

std::string to_text(const Description& description) {
  std::string text;
  for (const WorkloadDescription& workload : description.workloads) {
    text += fmt::format("{:14} {}, in {}\n", workload.name, workload.title, workload.unit);
    text += fmt::format("{:14}   modes: {}\n", "", join(workload.modes, ", "));
    for (const auto& [mode, devices] : workload.mode_devices) {
      text += fmt::format("{:14}   {} only on {}\n", "", mode, join(devices, ", "));
    }
    for (const SizeDescription& size : workload.sizes) {
      text += fmt::format("{:14}   size {}: batch {}\n", "", size.name, size.batch);
    }
    for (const auto& [device, precisions] : workload.precisions) {
      text += fmt::format("{:14}   on {}: {}\n", "", device, join(precisions, ", "));
    }
  }
  for (const DeviceDescription& device : description.devices) {
    if (device.missing.empty()) continue;
    text += fmt::format("{} cannot be used here: {}\n", device.name, device.missing);
  }
  return text;
}

}  // namespace trainmark::train
