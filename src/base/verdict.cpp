#include "base/verdict.h"

#include <nlohmann/json.hpp>

namespace trainmark {

void to_json(nlohmann::json& json, const Verdict& verdict) {
  json = {{"name", verdict.name}, {"message", verdict.message}};
}

}  // namespace trainmark
