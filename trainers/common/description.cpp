#include "common/description.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace trainmark::train {

nlohmann::json to_json(const Description& description) {
  nlohmann::json result = {{"protocol", 1},
                           {"framework", description.framework},
                           {"versions", description.versions},
                           {"devices", nlohmann::json::array()},
                           {"workloads", nlohmann::json::array()}};
  for (const DeviceDescription& device : description.devices) {
    nlohmann::json& entry = result["devices"].emplace_back();
    entry["name"] = device.name;
    if (!device.missing.empty()) entry["missing"] = device.missing;
  }
  for (const WorkloadDescription& workload : description.workloads) {
    nlohmann::json sizes = nlohmann::json::array();
    for (const SizeDescription& size : workload.sizes) {
      sizes.push_back({{"name", size.name}, {"batch", size.batch}});
    }
    result["workloads"].push_back({{"name", workload.name},
                                   {"title", workload.title},
                                   {"unit", workload.unit},
                                   {"modes", workload.modes},
                                   {"sizes", std::move(sizes)},
                                   {"precisions", workload.precisions}});
    if (!workload.mode_devices.empty())
      result["workloads"].back()["mode_devices"] = workload.mode_devices;
    if (workload.several_ranks) result["workloads"].back()["several_ranks"] = true;
  }
  return result;
}

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
