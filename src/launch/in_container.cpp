#include "launch/in_container.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "base/time.h"
#include "base/version.h"
#include "launch/local_processes.h"

namespace trainmark {

std::vector<std::string> trainer_in_container(const Container& container, ContainerUse use) {
  for (const auto& folder : std::set{home(), trainers_folder()})  // often one and the same
    use.mounts.push_back(fmt::format("{0}:{0}:ro", folder.string()));
  return container_command(container, use);
}

void remove_containers(const KeptContainers& containers) {
  std::vector<std::string> command = {containers.engine, "rm", "--force"};
  const std::string listed = output_of(
      {containers.engine, "ps", "--all", "--quiet", "--filter", "label=" + containers.label});
  for (const auto& id : split(listed, '\n'))
    if (!trim(id).empty()) command.emplace_back(trim(id));
  if (command.size() > 3) output_of(command);
}

}  // namespace trainmark
