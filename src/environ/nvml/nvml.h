#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainmark {

/// What stays as it is about a GPU. What a card or driver does not tell is nothing.
struct GpuInfo {
  std::string name, uuid, bus_id;
  std::optional<unsigned long long> memory_bytes;
  std::string compute_capability;  // "9.0"
  std::optional<unsigned> max_sm_mhz, max_memory_mhz;
  std::optional<double> power_limit_watts, default_power_limit_watts;
  std::optional<bool> persistence, ecc, mig;
  std::optional<unsigned> pcie_generation, pcie_width;  // the most that card and slot can do
  unsigned nvlinks = 0;                                 // active ones
};

/// What changes from moment to moment.
struct GpuSample {
  std::optional<unsigned> power_milliwatts, sm_mhz, memory_mhz, celsius;
  std::optional<unsigned> busy_percent, memory_busy_percent;
  std::optional<unsigned long long> memory_used_bytes;
  std::optional<unsigned long long> throttle_reasons;  // bits, see throttle_reason_names
};

struct GpuProcess {
  unsigned pid = 0;  // as the host counts, which a container may not see
  std::optional<unsigned long long> memory_bytes;
};

/// NVIDIA's management library, opened at run time: one build serves machines with and without a
/// GPU. Safe to use from several threads.
class Nvml {
 public:
  /// Nothing where there is no library or no driver behind it.
  static std::shared_ptr<const Nvml> open(const std::string& library = "libnvidia-ml.so.1");
  /// Opened once, on first use.
  static std::shared_ptr<const Nvml> shared();

  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  std::string driver_version() const;
  std::string cuda_version() const;  // the newest that the driver can serve: "12.4"
  int count() const;

  GpuInfo info(int gpu) const;
  GpuSample sample(int gpu) const;
  /// Just the power, for telemetry that asks many times a second.
  std::optional<unsigned> power_milliwatts(int gpu) const;
  /// Since the driver was loaded. Not part of a sample: this one question takes milliseconds, the
  /// others some thirty microseconds each (seen on an H200).
  std::optional<unsigned long long> energy_millijoules(int gpu) const;
  std::optional<unsigned> current_pcie_generation(int gpu) const;
  std::optional<unsigned> current_pcie_width(int gpu) const;
  /// Nothing where the driver does not tell; empty where nobody computes.
  std::optional<std::vector<GpuProcess>> processes(int gpu) const;
  /// The way between two GPUs, in nvidia-smi's words: "NV4" (that many NVLinks), "PIX", "PXB",
  /// "PHB", "NODE", "SYS"; "" where unknown.
  std::string link(int from, int to) const;

 private:
  struct Library;
  explicit Nvml(std::unique_ptr<Library> library);
  std::unique_ptr<Library> library_;
};

/// "power cap", "thermal slowdown", … for the bits that hold clocks down under load.
std::vector<std::string> throttle_reason_names(unsigned long long reasons);

}  // namespace trainmark
