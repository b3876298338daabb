#include "suite/suite_content.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

/// Of what is asked for in any order.
Json sorted(Json list) {
  std::sort(list.begin(), list.end());
  return list;
}

Json content_of(const Matrix& matrix) {
  Json content = Json::object();
  for (const auto& [dimension, values] : matrix.values) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(value.value);
    content[dimension] = sorted(std::move(list));
  }
  return content;
}

Json content_of(const Container& container) {
  return {{"engine", container.engine}, {"image", container.image},
          {"mounts", container.mounts}, {"arguments", container.arguments},
          {"folder", container.folder}, {"gpus", container.gpus}};
}

Json content_of(const ForeignCommand& foreign) {
  Json cases = Json::array();
  for (const CommandCase& entry : foreign.cases) {
    cases.push_back(
        {{"values", entry.values}, {"command", entry.command}, {"arguments", entry.arguments}});
  }
  Json facts = Json::object();
  for (const auto& [name, fact] : foreign.facts) facts[name] = fact.value;
  return {{"command", foreign.command},       {"cases", std::move(cases)},
          {"folder", foreign.folder},         {"dialect", foreign.dialect.value},
          {"pattern", foreign.pattern.value}, {"scope", foreign.scope.value},
          {"facts", std::move(facts)}};
}

Json content_of(const FrameworkSettings& settings) {
  Json content = {{"program", settings.program},
                  {"arguments", settings.arguments},
                  {"environment", settings.environment}};
  if (settings.container) content["container"] = content_of(*settings.container);
  if (settings.foreign) content["command"] = content_of(*settings.foreign);
  return content;
}

/// Under the keys of suite files.
Json content_of(const Suite& suite) {
  Json content = {{"launcher", suite.launcher.value},
                  {"launcher_arguments", suite.launcher_arguments},
                  {"job_arguments", suite.job_arguments},
                  {"seed", suite.seed}};
  Json& matrix = content["matrix"] = Json::array();
  for (const Matrix& block : suite.matrices) matrix.push_back(content_of(block));
  matrix = sorted(std::move(matrix));
  Json& exclusions = content["exclude"] = Json::array();
  for (const Exclusion& exclusion : suite.exclusions) exclusions.push_back(exclusion.values);
  exclusions = sorted(std::move(exclusions));
  Json& measure = content["measure"] = {{"rule", suite.rule.value}};
  for (const auto& [name, value] : suite.rule_values) measure[name] = value.value;
  Json& hosts = content["hosts"] = Json::array();
  for (const Host& host : suite.hosts) hosts.push_back({{host.name, host.slots}});
  Json& frameworks = content["frameworks"] = Json::object();
  for (const auto& [name, settings] : suite.frameworks) frameworks[name] = content_of(settings);
  Json& dialects = content["dialects"] = Json::array();
  for (const auto& named : suite.dialects) dialects.push_back(named.value);
  return content;
}

}  // namespace

std::vector<std::string> differing_keys(const std::string& one, const std::string& other) {
  if (one == other) return {};
  Json first;
  Json second;
  try {
    first = content_of(parse_suite(one, "suite"));
    second = content_of(parse_suite(other, "suite"));
  } catch (const UserError&) {
    return {"text"};
  }
  std::vector<std::string> keys;
  for (const auto& [key, value] : first.items())
    if (value != second.at(key)) keys.push_back(key);
  return keys;
}

}  // namespace trainmark
