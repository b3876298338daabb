#include "protocol/precisions.h"

#include <yaml-cpp/yaml.h>

#include "embedded/precisions.h"

namespace trainmark {

const std::vector<std::string>& known_precisions() {
  static const auto all =
      YAML::Load(std::string(embedded::precisions)).as<std::vector<std::string>>();
  return all;
}

}  // namespace trainmark
