#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "environ/conditions/pace.h"
#include "environ/system/system_files.h"

namespace trainmark {

/// How fast some CPUs were clocked while they were busy.
class ClockWatch {
 public:
  ClockWatch(SystemFiles files, std::vector<int> cores);

  /// `busy`: the share of its time that each core worked since the last sample.
  void sample(const std::map<int, double>& busy);

  int busy_samples() const { return samples_; }
  double mean_mhz() const { return samples_ == 0 ? 0 : mhz_sum_ / samples_; }
  /// Mean of clock ÷ reference; nothing where no reference is known or no core was seen busy.
  std::optional<double> mean_ratio() const;
  std::optional<double> reference_mhz() const { return reference_mhz_; }
  /// How many of the cores were slowed down by heat; 0 where the machine does not count it.
  int cores_throttled_by_heat() const;
  const std::string& governor() const { return governor_; }

 private:
  void read_clocks(const std::map<int, double>& busy);
  void read_throttle_counts();
  void note(double mhz);

  SystemFiles files_;
  std::vector<int> cores_;
  Pace clock_pace_, throttle_pace_;
  std::string governor_;
  std::optional<double> reference_mhz_;
  bool has_driver_ = false;
  std::size_t next_core_ = 0;
  int samples_ = 0;
  double mhz_sum_ = 0;
  std::map<int, long long> first_counts_, last_counts_;
};

}  // namespace trainmark
