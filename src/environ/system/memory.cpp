#include "environ/system/memory.h"

#include <algorithm>
#include <limits>
#include <string>

#include "environ/system/cgroup.h"

namespace trainmark {

double free_memory(const SystemFiles& files) {
  double free = std::numeric_limits<double>::infinity();
  const std::string info = files.text("/proc/meminfo").value_or("");
  const std::string_view name = "MemAvailable:";
  if (const std::size_t at = info.find(name); at != std::string::npos)
    free = 1024 * std::strtod(info.c_str() + at + name.size(), nullptr);
  if (const auto left = cgroup_memory_left(files))
    free = std::min(free, static_cast<double>(*left));
  return free;
}

}  // namespace trainmark
