#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/verdict.h"
#include "environ/conditions/gpu_busy.h"
#include "environ/conditions/gpu_power.h"
#include "environ/conditions/pace.h"
#include "environ/nvml/nvml.h"

namespace trainmark {

/// What the GPUs in use did: clocks, power, why they were held down, and who else was on them.
class GpuWatch {
 public:
  /// `nvml` may be null. `is_ours` and `is_visible` tell of a process number; GPUs report the
  /// host's numbers, of which a container sees none.
  GpuWatch(std::shared_ptr<const Nvml> nvml, bool keep_pace, std::function<bool(pid_t)> is_ours,
           std::function<bool(pid_t)> is_visible);

  void sample();
  /// One entry for each GPU that our processes used, or that worked while nobody visible used it.
  nlohmann::json summary() const;
  Verdicts verdicts() const;
  /// Of each GPU in use.
  GpuPowers power() const;
  /// Of all GPUs in use, one after the other.
  GpuBusy busy() const;
  /// The most memory that our processes had on one GPU. Where the driver does not say which process
  /// has how much, all that was in use, unless somebody else was there.
  std::optional<double> peak_memory() const;

 private:
  struct Record {
    bool used = false;
    int samples = 0;  // while busy
    double sm_mhz = 0, watts = 0;
    unsigned celsius = 0, busiest_percent = 0;
    unsigned long long most_memory = 0;  // in use by whomever
    unsigned long long own_memory = 0;   // the most of our processes; 0: nobody tells
    GpuBusy busy;
    std::map<std::string, int> throttled;  // samples by reason
    std::set<pid_t> others;
    EnergyTrace energy;
    GpuInfo info;
  };
  void sample_energy();
  void sample(int gpu, Record& record);
  Verdicts throttling(int gpu, const Record& record) const;

  std::shared_ptr<const Nvml> nvml_;
  Pace pace_;
  Pace energy_pace_;
  std::function<bool(pid_t)> is_ours_, is_visible_;
  std::vector<Record> records_;
};

}  // namespace trainmark
