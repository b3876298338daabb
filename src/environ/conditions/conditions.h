#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "base/verdict.h"
#include "environ/conditions/clock_watch.h"
#include "environ/conditions/core_times.h"
#include "environ/conditions/gpu_watch.h"
#include "environ/conditions/pace.h"
#include "environ/conditions/process_times.h"
#include "environ/system/cgroup.h"
#include "environ/system/system_files.h"

namespace trainmark {

/// What the machine did while a run was measured, and what of it may have spoilt the numbers.
class ConditionsMonitor {
 public:
  /// `cores`: the CPUs the run is pinned to, or none for all. `root_process`: the process whose
  /// descendants are the run; this process counts as the run's as well.
  ConditionsMonitor(std::vector<int> cores, pid_t root_process,
                    const std::filesystem::path& root = "/");
  /// With GPUs of the caller's choice, or none (null).
  ConditionsMonitor(std::vector<int> cores, pid_t root_process, const std::filesystem::path& root,
                    std::shared_ptr<const Nvml> nvml);
  ConditionsMonitor(const ConditionsMonitor&) = delete;
  ConditionsMonitor& operator=(const ConditionsMonitor&) = delete;

  /// Cheap; called about once a second and at start and end of the measured part. Never throws.
  void sample();
  /// What goes into the run record.
  nlohmann::json summary() const;
  /// throttled, other-load, stolen-time, swapping, frequency-scaling, with the figures.
  Verdicts verdicts() const;
  /// What each of the GPUs in use drew.
  GpuPowers gpu_power() const { return gpus_.power(); }
  /// How much work they had, and when.
  GpuBusy gpu_busy() const { return gpus_.busy(); }
  /// The most memory that the run had on one GPU.
  std::optional<double> gpu_peak_memory() const { return gpus_.peak_memory(); }

 private:
  /// Counters that only grow, as they were at one moment.
  struct Counters {
    std::optional<long long> swapped_pages;
    std::optional<long long> cpu_pressure, memory_pressure;  // microseconds somebody waited
    std::optional<CpuPeriods> cpu_periods;
  };
  void take_sample();
  Counters read_counters() const;
  CoreTimes elapsed() const;
  double other_ticks() const;
  double seconds() const;
  std::optional<long long> swapped_pages() const;
  std::optional<double> held_back_share() const;

  SystemFiles files_;
  std::vector<int> cores_;
  ProcessTimes processes_;
  ClockWatch clocks_;
  GpuWatch gpus_;
  Pace counter_pace_;
  int samples_ = 0;
  std::map<int, CoreTimes> first_times_, last_times_;
  Counters first_counters_, last_counters_;
};

}  // namespace trainmark
