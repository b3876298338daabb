#pragma once

#include <optional>

#include "environ/system/system_files.h"

namespace trainmark {

/// The processors' worth of time this process group may use ("2.5"), by the tightest of its control
/// groups, version 1 or 2; nothing where there is no limit.
std::optional<double> cgroup_cpu_limit(const SystemFiles& files);

/// How often the scheduler has looked at that limit, and how often it held the group back for the
/// rest of a period because its share was used up.
struct CpuPeriods {
  long long all = 0;
  long long held_back = 0;
};

/// Of the group whose limit is the tightest; nothing where there is no limit.
std::optional<CpuPeriods> cgroup_cpu_periods(const SystemFiles& files);

/// The bytes of memory it may use.
std::optional<unsigned long long> cgroup_memory_limit(const SystemFiles& files);

/// The bytes of it that are not in use.
std::optional<unsigned long long> cgroup_memory_left(const SystemFiles& files);

/// "max 100000", "250000 100000": a quota and the period it is for, in microseconds.
std::optional<double> parse_cpu_max(std::string_view text);

}  // namespace trainmark
