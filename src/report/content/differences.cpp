#include "report/content/differences.h"

#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/content/result_json.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

constexpr const char* versions_name = "versions";

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return json_text(value);
}

std::string versions_text(const Json& versions) {
  std::vector<std::string> texts;
  for (const auto& [name, version] : versions.items())
    texts.push_back(name + " " + value_text(version));
  return join(texts, ", ");
}

/// What a trainer said that may explain its speed, by its name.
std::map<std::string, std::string> explanations(const Json& trainer) {
  std::map<std::string, std::string> facts;
  if (!trainer.is_object()) return facts;
  if (const auto versions = trainer.find(versions_name);
      versions != trainer.end() && versions->is_object())
    facts.emplace(versions_name, versions_text(*versions));
  if (const auto math = trainer.find("math"); math != trainer.end() && math->is_object())
    for (const auto& [name, value] : math->items()) facts.emplace(name, value_text(value));
  for (const char* name : {"parameters", "flops_per_item", "threads", "device_name", "optimizer"})
    if (const auto found = trainer.find(name); found != trainer.end())
      facts.emplace(name, value_text(*found));
  return facts;
}

/// The first good run of each framework speaks for it.
std::map<std::string, const RunRecord*> speakers(const WorkloadGroup& group) {
  std::map<std::string, const RunRecord*> runs;
  for (const PrecisionGroup& precision : group.precisions)
    for (const Result* result : precision.results)
      if (!result->runs.empty()) runs.try_emplace(result->cell.framework, result->runs.front());
  return runs;
}

}  // namespace

Differences differences_of(const WorkloadGroup& group) {
  Differences result;
  std::map<std::string, std::vector<std::string>> facts;  // by name, one value per framework
  const auto runs = speakers(group);
  for (const auto& [framework, run] : runs) {
    for (auto& [name, value] : explanations(run->trainer)) {
      auto& values = facts[name];
      values.resize(runs.size(), "-");
      values[result.frameworks.size()] = value;
    }
    result.frameworks.push_back(framework);
  }
  for (auto& [name, values] : facts)
    if (std::set<std::string>(values.begin(), values.end()).size() > 1)
      result.differences.push_back({name, std::move(values)});
  return result;
}

std::string difference_title(const std::string& name, Language language) {
  return name == versions_name ? std::string(say(Word::versions, language)) : name;
}

}  // namespace trainmark
