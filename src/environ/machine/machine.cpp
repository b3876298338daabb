#include "environ/machine/machine.h"

#include <unistd.h>

#include <cstdlib>

#include "environ/system/cores.h"

namespace trainmark {

Machine Machine::here() {
  Machine machine;
  machine.allowed_cpus = trainmark::allowed_cpus();
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    machine.variables.emplace_back(*variable);
  }
  if (const char* path = std::getenv("PATH")) machine.search_path = path;
  machine.nvml = Nvml::shared();
  machine.may_load_libraries = true;
  return machine;
}

}  // namespace trainmark
