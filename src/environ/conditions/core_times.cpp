#include "environ/conditions/core_times.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace trainmark {

CoreTimes& CoreTimes::operator+=(const CoreTimes& other) {
  work += other.work;
  interrupts += other.interrupts;
  stolen += other.stolen;
  total += other.total;
  return *this;
}

CoreTimes operator-(const CoreTimes& now, const CoreTimes& before) {
  CoreTimes difference;
  difference.work = std::max(0LL, now.work - before.work);
  difference.interrupts = std::max(0LL, now.interrupts - before.interrupts);
  difference.stolen = std::max(0LL, now.stolen - before.stolen);
  difference.total = std::max(difference.work + difference.interrupts + difference.stolen,
                              now.total - before.total);
  return difference;
}

std::map<int, CoreTimes> parse_proc_stat(std::string_view text) {
  std::map<int, CoreTimes> cores;
  while (text.starts_with("cpu")) {  // these lines come first; what follows is long
    const auto end = std::min(text.find('\n'), text.size());
    const char* at = text.data() + 3;
    const char* const stop = text.data() + end;
    text.remove_prefix(std::min(end + 1, text.size()));
    int cpu = 0;
    const auto number = std::from_chars(at, stop, cpu);
    if (number.ec != std::errc() || cpu < 0) continue;  // the line for all of them
    at = number.ptr;
    // user nice system idle iowait irq softirq steal; older kernels have fewer, newer ones more,
    // which are parts of these
    std::array<long long, 8> ticks = {};
    for (long long& value : ticks) {
      while (at < stop && *at == ' ') ++at;
      const auto parsed = std::from_chars(at, stop, value);
      if (parsed.ec != std::errc()) break;
      value = std::clamp(value, 0LL, 1LL << 50);
      at = parsed.ptr;
    }
    CoreTimes& core = cores[cpu];
    core.work = ticks[0] + ticks[1] + ticks[2];
    core.interrupts = ticks[5] + ticks[6];
    core.stolen = ticks[7];
    for (const long long value : ticks) core.total += value;
  }
  return cores;
}

}  // namespace trainmark
