#include "journal/trainer_versions.h"

namespace trainmark {

std::map<std::string, std::string> trainer_versions(const nlohmann::json& trainer) {
  std::map<std::string, std::string> versions;
  const auto found = trainer.is_object() ? trainer.find("versions") : trainer.end();
  if (found == trainer.end() || !found->is_object()) return versions;
  for (const auto& [name, version] : found->items())
    if (version.is_string()) versions[name] = version.get<std::string>();
  return versions;
}

}  // namespace trainmark
