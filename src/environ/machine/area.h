#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/registry.h"
#include "environ/machine/machine.h"

namespace trainmark {

/// A label and what is shown beside it.
using AreaLines = std::vector<std::pair<std::string, std::string>>;

/// One area of the inventory ("cpu", "memory", …), registered under its key in the JSON.
///
/// Two keys have a meaning wherever they stand: values under "now" change from minute to minute,
/// values under "instance" tell machines of one kind apart. Neither is part of environment_id.
struct Area {
  int order = 0;  // of the areas in the text
  std::string title;
  /// Must not throw for want of anything on an odd machine; null or an empty object where there is
  /// nothing to say.
  nlohmann::json (*collect)(const Machine& machine) = nullptr;
  /// The area as lines of text. The JSON may come from a file, so anything in it may be missing.
  AreaLines (*describe)(const nlohmann::json& area) = nullptr;
};

using AreaRegistration = Registration<Area>;

}  // namespace trainmark
