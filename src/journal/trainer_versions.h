#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace trainmark {

/// What a trainer said of its versions: "torch" → "2.11.0". Empty where it said nothing.
std::map<std::string, std::string> trainer_versions(const nlohmann::json& trainer);

}  // namespace trainmark
