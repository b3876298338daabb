// Who else is on a GPU, and how GPUs reach each other.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "environ/nvml/library.h"
#include "environ/nvml/nvml.h"

namespace trainmark {

namespace {

constexpr unsigned most_processes = 1024;
constexpr unsigned long long unknown_memory = ~0ULL;

/// Asks with more and more room. Twice the room that we admit to: some drivers of the 535 series
/// write entries that are longer than those of every version before and after.
template <class Entry>
std::optional<std::vector<GpuProcess>> list(nvml::Result (*function)(nvml::Device, unsigned*,
                                                                     Entry*),
                                            nvml::Device device) {
  for (unsigned room = 64; room <= most_processes; room *= 2) {
    std::vector<Entry> entries(2 * room);
    unsigned count = room;
    const nvml::Result result = function(device, &count, entries.data());
    if (result == nvml::insufficient_size) continue;
    if (result != nvml::success || count > room) return std::nullopt;
    std::vector<GpuProcess> processes;
    for (unsigned i = 0; i < count; ++i) {
      GpuProcess process;
      process.pid = entries[i].pid;
      if (entries[i].used_memory != unknown_memory) process.memory_bytes = entries[i].used_memory;
      processes.push_back(process);
    }
    return processes;
  }
  return std::nullopt;
}

/// The way over the PCI bus, in nvidia-smi's words.
const char* pci_way(unsigned common_ancestor) {
  switch (common_ancestor) {
    case nvml::same_board:
    case nvml::one_switch:
      return "PIX";
    case nvml::several_switches:
      return "PXB";
    case nvml::host_bridge:
      return "PHB";
    case nvml::same_node:
      return "NODE";
    default:
      return "SYS";
  }
}

}  // namespace

std::optional<std::vector<GpuProcess>> Nvml::processes(int gpu) const {
  nvml::Device device = library_->devices.at(static_cast<std::size_t>(gpu));
  if (device == nullptr) return std::nullopt;
  if (library_->processes != nullptr) return list(library_->processes, device);
  if (library_->old_processes != nullptr) return list(library_->old_processes, device);
  return std::nullopt;
}

std::string Nvml::link(int from, int to) const {
  const Library& library = *library_;
  nvml::Device a = library.devices.at(static_cast<std::size_t>(from));
  nvml::Device b = library.devices.at(static_cast<std::size_t>(to));
  if (a == nullptr || b == nullptr || a == b) return "";

  nvml::PciInfo target = {};
  const bool target_known =
      library.pci != nullptr && library.pci(b, &target) == nvml::success && target.bus_id[0] != 0;
  unsigned active = 0;
  unsigned direct = 0;
  for (unsigned link = 0; link < nvml::most_links && library.link_state != nullptr; ++link) {
    unsigned state = 0;
    if (library.link_state(a, link, &state) != nvml::success || state == 0) continue;
    ++active;
    nvml::PciInfo remote = {};
    if (target_known && library.link_remote != nullptr &&
        library.link_remote(a, link, &remote) == nvml::success &&
        std::strncmp(remote.bus_id, target.bus_id, sizeof target.bus_id) == 0) {
      ++direct;
    }
  }
  if (direct > 0) return fmt::format("NV{}", direct);
  // Links that end at a switch reach every GPU behind it with all of them.
  unsigned status = 1;
  if (active > 0 && library.p2p != nullptr &&
      library.p2p(a, b, nvml::p2p_over_nvlink, &status) == nvml::success && status == 0) {
    return fmt::format("NV{}", active);
  }
  unsigned ancestor = 0;
  if (library.common_ancestor == nullptr ||
      library.common_ancestor(a, b, &ancestor) != nvml::success) {
    return "";
  }
  return pci_way(ancestor);
}

std::vector<std::string> throttle_reason_names(unsigned long long reasons) {
  std::vector<std::string> names;
  if (reasons & nvml::reason_power_cap) names.emplace_back("power cap");
  if (reasons & nvml::reason_software_thermal) names.emplace_back("thermal slowdown (driver)");
  if (reasons & nvml::reason_hardware_thermal) names.emplace_back("thermal slowdown (hardware)");
  if (reasons & nvml::reason_power_brake) names.emplace_back("power brake");
  // The umbrella bit is set with either of the two above; alone it still says something.
  if ((reasons & nvml::reason_hardware_slowdown) &&
      !(reasons & (nvml::reason_hardware_thermal | nvml::reason_power_brake))) {
    names.emplace_back("hardware slowdown");
  }
  return names;
}

}  // namespace trainmark
