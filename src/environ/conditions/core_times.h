#pragma once

#include <map>
#include <string_view>

namespace trainmark {

/// What a CPU did since boot, in clock ticks.
struct CoreTimes {
  long long work = 0;        // for processes: user, nice and system time
  long long interrupts = 0;  // kept apart: nobody's in particular, often our own network traffic
  long long stolen = 0;      // a guest was ready to run and the host ran someone else
  long long total = 0;       // all of it, idle time too

  CoreTimes& operator+=(const CoreTimes& other);
};

/// Counters that went backwards (they do on some kernels) count as standing still.
CoreTimes operator-(const CoreTimes& now, const CoreTimes& before);

/// The lines of /proc/stat for single CPUs.
std::map<int, CoreTimes> parse_proc_stat(std::string_view text);

}  // namespace trainmark
