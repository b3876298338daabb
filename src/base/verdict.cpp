#include "base/verdict.h"

#include <nlohmann/json.hpp>

namespace trainmark {

void to_json(nlohmann::json& json, const Verdict& verdict) {
  json = {{"name", verdict.name}, {"message", verdict.message}};
}

void from_json(const nlohmann::json& json, Verdict& verdict) {
  json.at("name").get_to(verdict.name);
  json.at("message").get_to(verdict.message);
}

}  // namespace trainmark
