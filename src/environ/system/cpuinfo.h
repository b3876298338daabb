#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// What /proc/cpuinfo says, on x86, Arm and POWER.
struct CpuInfo {
  std::string model, vendor;
  std::vector<std::string> flags;  // of the first processor
  std::map<int, double> mhz;       // of each processor, at the moment; empty where not told
  int processors = 0;

  bool has(std::string_view flag) const;
};

CpuInfo parse_cpuinfo(std::string_view text);

/// The clock that a model's name promises: 2800 for "Intel(R) Xeon(R) Processor @ 2.80GHz".
std::optional<double> nominal_mhz(std::string_view model);

/// Those of the flags that decide how fast a model trains (vector and matrix units, bf16).
std::vector<std::string> training_flags(const CpuInfo& info);

}  // namespace trainmark
