#pragma once

// The part of NVIDIA's management library (NVML) that we use. Its header belongs to the CUDA
// toolkit, which machines that only train do not have, so the few types are declared here as the
// library's documented binary interface gives them.

namespace trainmark::nvml {

using Device = struct DeviceHandle*;
using Result = int;

constexpr Result success = 0;
constexpr Result insufficient_size = 7;

enum ClockType : unsigned { sm_clock = 1, memory_clock = 2 };
constexpr unsigned temperature_of_gpu = 0;
constexpr unsigned most_links = 18;
constexpr unsigned p2p_over_nvlink = 2;

struct Memory {
  unsigned long long total, free, used;  // bytes
};

struct Utilization {
  unsigned gpu, memory;  // percent
};

struct PciInfo {
  char legacy_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

/// As the functions with _v2 and _v3 write it; the first version had no instances.
struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};

struct OldProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
};

// What two GPUs have in common on the way between them.
constexpr unsigned same_board = 0;
constexpr unsigned one_switch = 10;
constexpr unsigned several_switches = 20;
constexpr unsigned host_bridge = 30;
constexpr unsigned same_node = 40;

// Why the clocks are not higher, as bits.
constexpr unsigned long long reason_power_cap = 0x4;
constexpr unsigned long long reason_hardware_slowdown = 0x8;
constexpr unsigned long long reason_software_thermal = 0x20;
constexpr unsigned long long reason_hardware_thermal = 0x40;
constexpr unsigned long long reason_power_brake = 0x80;

}  // namespace trainmark::nvml
