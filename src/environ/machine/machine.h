#pragma once

#include <memory>
#include <string>
#include <vector>

#include "environ/nvml/nvml.h"
#include "environ/system/system_files.h"

namespace trainmark {

/// Everything an area of the inventory may look at. Tests fill in a machine of their own.
struct Machine {
  SystemFiles files;
  std::vector<int> allowed_cpus;       // by affinity
  std::vector<std::string> variables;  // "NAME=value"
  std::string search_path;             // where programs are looked for, as in $PATH
  std::shared_ptr<const Nvml> nvml;    // null without NVIDIA GPUs
  bool may_load_libraries = false;     // open CUDA's libraries to ask for their versions

  static Machine here();
};

}  // namespace trainmark
