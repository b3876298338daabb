// A machine with three GPUs, as NVML would tell of it. Two are joined by two NVLinks; the third
// hangs off another socket, is old, and refuses most questions. Tests steer it through environment
// variables: FAKE_NVML_PIDS (processes on GPU 0, with commas), FAKE_NVML_REASONS (throttle bits),
// FAKE_NVML_BROKEN (no driver behind the library).

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "environ/nvml/types.h"

using trainmark::nvml::Device;
using trainmark::nvml::Memory;
using trainmark::nvml::PciInfo;
using trainmark::nvml::ProcessInfo;
using trainmark::nvml::Result;
using trainmark::nvml::Utilization;

namespace {

constexpr Result ok = trainmark::nvml::success;
constexpr Result invalid = 2;
constexpr Result not_supported = 3;
constexpr Result driver_not_loaded = 9;
constexpr std::size_t old_gpu = 2;

char places[3];  // a device's handle is the address of its place

std::size_t index_of(Device device) {
  return static_cast<std::size_t>(reinterpret_cast<char*>(device) - places);
}

Result give(Device device, unsigned* to, unsigned value) {
  if (index_of(device) == old_gpu) return not_supported;
  *to = value;
  return ok;
}

void name_bus(PciInfo* info, std::size_t index) {
  *info = {};
  std::snprintf(info->bus_id, sizeof info->bus_id, "00000000:%02X:00.0",
                static_cast<unsigned>(0x10 + index));
}

}  // namespace

extern "C" {

Result nvmlInit_v2() {
  return std::getenv("FAKE_NVML_BROKEN") != nullptr ? driver_not_loaded : ok;
}
Result nvmlShutdown() {
  return ok;
}

Result nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::snprintf(text, size, "550.54.15");
  return ok;
}
Result nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 12040;
  return ok;
}
Result nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 3;
  return ok;
}
Result nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  if (index > 2) return invalid;
  *device = reinterpret_cast<Device>(places + index);
  return ok;
}
Result nvmlDeviceGetName(Device device, char* text, unsigned size) {
  std::snprintf(text, size, "%s",
                index_of(device) == old_gpu ? "NVIDIA Old \x1b[31m" : "NVIDIA H100 80GB HBM3");
  return ok;
}
Result nvmlDeviceGetUUID(Device device, char* text, unsigned size) {
  std::snprintf(text, size, "GPU-%zu", index_of(device));
  return ok;
}
Result nvmlDeviceGetPciInfo_v3(Device device, PciInfo* info) {
  name_bus(info, index_of(device));
  return ok;
}
Result nvmlDeviceGetMemoryInfo(Device device, Memory* memory) {
  if (index_of(device) == old_gpu) return not_supported;
  *memory = {80ULL << 30, 60ULL << 30, 20ULL << 30};
  return ok;
}
Result nvmlDeviceGetCudaComputeCapability(Device device, int* major, int* minor) {
  *major = index_of(device) == old_gpu ? 3 : 9;
  *minor = index_of(device) == old_gpu ? 5 : 0;
  return ok;
}
Result nvmlDeviceGetClockInfo(Device device, unsigned type, unsigned* mhz) {
  return give(device, mhz, type == trainmark::nvml::sm_clock ? 1395 : 2619);
}
Result nvmlDeviceGetMaxClockInfo(Device device, unsigned type, unsigned* mhz) {
  return give(device, mhz, type == trainmark::nvml::sm_clock ? 1980 : 2619);
}
Result nvmlDeviceGetPowerUsage(Device device, unsigned* milliwatts) {
  return give(device, milliwatts, 650500);
}
Result nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long* millijoules) {
  if (index_of(device) == old_gpu) return not_supported;
  *millijoules = 123456789012ULL;
  return ok;
}
Result nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned* milliwatts) {
  return give(device, milliwatts, 700000);
}
Result nvmlDeviceGetPersistenceMode(Device device, unsigned* on) {
  return give(device, on, 1);
}
Result nvmlDeviceGetEccMode(Device device, unsigned* now, unsigned* pending) {
  *pending = 0;
  return give(device, now, 1);
}
Result nvmlDeviceGetMigMode(Device device, unsigned* now, unsigned* pending) {
  *pending = 1;
  return give(device, now, 0);
}
Result nvmlDeviceGetMaxPcieLinkGeneration(Device device, unsigned* value) {
  return give(device, value, 5);
}
Result nvmlDeviceGetMaxPcieLinkWidth(Device device, unsigned* value) {
  return give(device, value, 16);
}
Result nvmlDeviceGetTemperature(Device device, unsigned, unsigned* celsius) {
  return give(device, celsius, 71);
}
Result nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long* reasons) {
  const char* asked = std::getenv("FAKE_NVML_REASONS");
  if (index_of(device) == old_gpu) return not_supported;
  *reasons = asked == nullptr ? 0 : std::strtoull(asked, nullptr, 0);
  return ok;
}
Result nvmlDeviceGetUtilizationRates(Device device, Utilization* rates) {
  if (index_of(device) != 0) return not_supported;
  *rates = {97, 40};
  return ok;
}
Result nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned* count,
                                               ProcessInfo* processes) {
  const unsigned room = *count;
  *count = 0;
  const char* pids = std::getenv("FAKE_NVML_PIDS");
  if (index_of(device) != 0 || pids == nullptr) return ok;
  while (*pids != '\0') {
    char* end = nullptr;
    const auto pid = static_cast<unsigned>(std::strtoul(pids, &end, 10));
    if (*count == room) return trainmark::nvml::insufficient_size;
    processes[(*count)++] = {pid, 1ULL << 30, ~0U, ~0U};
    pids = *end == ',' ? end + 1 : end;
  }
  return ok;
}
Result nvmlDeviceGetTopologyCommonAncestor(Device, Device, unsigned* level) {
  *level = 50;
  return ok;
}
Result nvmlDeviceGetNvLinkState(Device device, unsigned link, unsigned* active) {
  if (index_of(device) == old_gpu || link >= 12) return invalid;
  *active = link < 2 ? 1 : 0;
  return ok;
}
Result nvmlDeviceGetNvLinkRemotePciInfo_v2(Device device, unsigned, PciInfo* info) {
  name_bus(info, index_of(device) == 0 ? 1 : 0);
  return ok;
}
}
