#pragma once

#include <string>
#include <vector>

#include "environ/nvml/nvml.h"
#include "environ/nvml/types.h"

namespace trainmark {

/// The opened library: its functions, each null where this version lacks it, and its devices.
struct Nvml::Library {
  ~Library();

  void* handle = nullptr;
  bool initialised = false;
  std::vector<nvml::Device> devices;

  nvml::Result (*init)() = nullptr;
  nvml::Result (*shutdown)() = nullptr;
  nvml::Result (*driver_version)(char*, unsigned) = nullptr;
  nvml::Result (*cuda_version)(int*) = nullptr;
  nvml::Result (*count)(unsigned*) = nullptr;
  nvml::Result (*device)(unsigned, nvml::Device*) = nullptr;
  nvml::Result (*name)(nvml::Device, char*, unsigned) = nullptr;
  nvml::Result (*uuid)(nvml::Device, char*, unsigned) = nullptr;
  nvml::Result (*pci)(nvml::Device, nvml::PciInfo*) = nullptr;
  nvml::Result (*memory)(nvml::Device, nvml::Memory*) = nullptr;
  nvml::Result (*capability)(nvml::Device, int*, int*) = nullptr;
  nvml::Result (*clock)(nvml::Device, unsigned, unsigned*) = nullptr;
  nvml::Result (*max_clock)(nvml::Device, unsigned, unsigned*) = nullptr;
  nvml::Result (*power)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*power_limit)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*default_power_limit)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*energy)(nvml::Device, unsigned long long*) = nullptr;
  nvml::Result (*persistence)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*ecc)(nvml::Device, unsigned*, unsigned*) = nullptr;
  nvml::Result (*mig)(nvml::Device, unsigned*, unsigned*) = nullptr;
  nvml::Result (*pcie_generation)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*pcie_width)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*max_pcie_generation)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*max_pcie_width)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*temperature)(nvml::Device, unsigned, unsigned*) = nullptr;
  nvml::Result (*throttle_reasons)(nvml::Device, unsigned long long*) = nullptr;
  nvml::Result (*utilization)(nvml::Device, nvml::Utilization*) = nullptr;
  nvml::Result (*processes)(nvml::Device, unsigned*, nvml::ProcessInfo*) = nullptr;
  nvml::Result (*old_processes)(nvml::Device, unsigned*, nvml::OldProcessInfo*) = nullptr;
  nvml::Result (*common_ancestor)(nvml::Device, nvml::Device, unsigned*) = nullptr;
  nvml::Result (*p2p)(nvml::Device, nvml::Device, unsigned, unsigned*) = nullptr;
  nvml::Result (*link_state)(nvml::Device, unsigned, unsigned*) = nullptr;
  nvml::Result (*link_remote)(nvml::Device, unsigned, nvml::PciInfo*) = nullptr;

  bool load(const std::string& library);
};

}  // namespace trainmark
