#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "environ/machine/area.h"
#include "report/words/words.h"

namespace trainmark {

/// One area of a recorded environment, ready to be shown.
struct EnvironmentPart {
  int order = 1000;  // an area of a newer version, which this one has no words for, goes last
  std::string area;  // its key: "cpu"
  bool software = false;
  AreaLines lines;  // labels and values; none is empty

  std::string title(Language language) const;
};

/// The areas of an environment as `trainmark env` has them, in their order.
std::vector<EnvironmentPart> environment_parts(const nlohmann::json& environment);

}  // namespace trainmark
