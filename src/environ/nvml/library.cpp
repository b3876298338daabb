#include "environ/nvml/library.h"

#include <dlfcn.h>

#include <initializer_list>

namespace trainmark {

namespace {

constexpr unsigned most_devices = 1024;  // a count beyond is damage

/// The first of the names that the library has: newer versions of a function come first.
template <class Function>
void find(void* handle, Function& function, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    function = reinterpret_cast<Function>(::dlsym(handle, name));
    if (function != nullptr) return;
  }
}

}  // namespace

Nvml::Library::~Library() {
  if (initialised && shutdown != nullptr) shutdown();
  if (handle != nullptr) ::dlclose(handle);
}

bool Nvml::Library::load(const std::string& library) {
  handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return false;
  find(handle, init, {"nvmlInit_v2", "nvmlInit"});
  find(handle, shutdown, {"nvmlShutdown"});
  find(handle, driver_version, {"nvmlSystemGetDriverVersion"});
  find(handle, cuda_version,
       {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
  find(handle, count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
  find(handle, device, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  find(handle, name, {"nvmlDeviceGetName"});
  find(handle, uuid, {"nvmlDeviceGetUUID"});
  find(handle, pci, {"nvmlDeviceGetPciInfo_v3"});
  find(handle, memory, {"nvmlDeviceGetMemoryInfo"});
  find(handle, capability, {"nvmlDeviceGetCudaComputeCapability"});
  find(handle, clock, {"nvmlDeviceGetClockInfo"});
  find(handle, max_clock, {"nvmlDeviceGetMaxClockInfo"});
  find(handle, power, {"nvmlDeviceGetPowerUsage"});
  find(handle, power_limit,
       {"nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetPowerManagementLimit"});
  find(handle, default_power_limit, {"nvmlDeviceGetPowerManagementDefaultLimit"});
  find(handle, energy, {"nvmlDeviceGetTotalEnergyConsumption"});
  find(handle, persistence, {"nvmlDeviceGetPersistenceMode"});
  find(handle, ecc, {"nvmlDeviceGetEccMode"});
  find(handle, mig, {"nvmlDeviceGetMigMode"});
  find(handle, pcie_generation, {"nvmlDeviceGetCurrPcieLinkGeneration"});
  find(handle, pcie_width, {"nvmlDeviceGetCurrPcieLinkWidth"});
  find(handle, max_pcie_generation, {"nvmlDeviceGetMaxPcieLinkGeneration"});
  find(handle, max_pcie_width, {"nvmlDeviceGetMaxPcieLinkWidth"});
  find(handle, temperature, {"nvmlDeviceGetTemperature"});
  find(handle, throttle_reasons,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  find(handle, utilization, {"nvmlDeviceGetUtilizationRates"});
  find(handle, processes,
       {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
  find(handle, old_processes, {"nvmlDeviceGetComputeRunningProcesses"});
  find(handle, common_ancestor, {"nvmlDeviceGetTopologyCommonAncestor"});
  find(handle, p2p, {"nvmlDeviceGetP2PStatus"});
  find(handle, link_state, {"nvmlDeviceGetNvLinkState"});
  find(handle, link_remote, {"nvmlDeviceGetNvLinkRemotePciInfo_v2"});
  if (init == nullptr || count == nullptr || device == nullptr) return false;
  if (init() != nvml::success) return false;
  initialised = true;

  unsigned number = 0;
  if (count(&number) != nvml::success || number > most_devices) return false;
  for (unsigned index = 0; index < number; ++index) {
    nvml::Device found = nullptr;
    // A card that has fallen off the bus keeps its place, so that the others keep their numbers.
    if (device(index, &found) != nvml::success) found = nullptr;
    devices.push_back(found);
  }
  return true;
}

}  // namespace trainmark
