#pragma once

#include <string>
#include <vector>

#include "suite/yaml_reader.h"

namespace trainmark {

/// A machine that ranks can be started on.
struct Host {
  std::string name;
  int slots = 0;  // the most ranks it takes; 0 = nobody said
};

/// "gpu07" or, with its slots, "gpu07:8". Throws UserError for a name that no host has and for a
/// host that appears twice.
std::vector<Host> parse_hosts(const std::vector<Placed<std::string>>& words);

/// A hostfile of Open MPI: a host a line, `slots=N` behind it where it takes several ranks. A host
/// that stands on several lines has the slots of all of them. Throws UserError with file:line.
std::vector<Host> parse_hostfile(const std::string& text, const std::string& file);

}  // namespace trainmark
