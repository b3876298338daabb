#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace trainmark {

/// A named warning beside a number: what may spoil it, or why it is hard to believe.
/// The names are part of the result schema (base/verdict_names.h).
struct Verdict {
  std::string name;     // one of `verdicts`
  std::string message;  // with the figures of this case
};

using Verdicts = std::vector<Verdict>;

void to_json(nlohmann::json& json, const Verdict& verdict);

}  // namespace trainmark
