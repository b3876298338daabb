#include "environ/machine/free_memory.h"

#include <limits>

#include "environ/nvml/nvml.h"
#include "environ/system/memory.h"

namespace trainmark {

std::vector<double> free_memories() {
  std::vector<double> free = {free_memory()};
  const std::shared_ptr<const Nvml> nvml = Nvml::shared();
  for (int gpu = 0; nvml != nullptr && gpu < nvml->count(); ++gpu) {
    const auto all = nvml->info(gpu).memory_bytes;
    const auto used = nvml->sample(gpu).memory_used_bytes;
    free.push_back(all && used ? static_cast<double>(*all) - static_cast<double>(*used)
                               : std::numeric_limits<double>::infinity());
  }
  return free;
}

}  // namespace trainmark
