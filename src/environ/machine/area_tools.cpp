// Programs that start training on several nodes.

#include <array>

#include "base/json_fields.h"
#include "environ/machine/area.h"
#include "environ/system/child.h"

namespace trainmark {

using nlohmann::json;

namespace {

struct Tool {
  const char* key;
  const char* program;
};

constexpr std::array<Tool, 2> tools = {{{"mpi", "mpirun"}, {"slurm", "srun"}}};

json collect(const Machine& machine) {
  json found = json::object();
  for (const Tool& tool : tools) {
    const std::string program = find_program(tool.program, machine.search_path);
    if (program.empty()) continue;
    const std::string line = first_line_of({program, "--version"});
    found[tool.key] = line.empty() ? std::string("present, version unknown") : line;
  }
  return found;
}

AreaLines describe(const json& found) {
  AreaLines lines;
  for (const Tool& tool : tools) {
    if (const std::string line = json_string(found, tool.key); !line.empty()) {
      lines.emplace_back(tool.program, line);
    }
  }
  return lines;
}

const AreaRegistration registered("tools", {70, "Launch tools", collect, describe});

}  // namespace

}  // namespace trainmark
