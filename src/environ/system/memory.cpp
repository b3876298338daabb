#include "environ/system/memory.h"

#include <limits>
#include <string>

#include "environ/system/cgroup.h"
#include "environ/system/system_files.h"

namespace trainmark {

double free_memory() {
  const SystemFiles files;
  const std::string info = files.text("/proc/meminfo").value_or("");
  const std::size_t at = info.find("MemAvailable:");
  if (at == std::string::npos) return std::numeric_limits<double>::infinity();
  return 1024 * std::strtod(info.c_str() + at + sizeof "MemAvailable:" - 1, nullptr);
}

}  // namespace trainmark
