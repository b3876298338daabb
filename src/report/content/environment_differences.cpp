#include "report/content/environment_differences.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "environ/machine/environment.h"
#include "report/content/environment_parts.h"

namespace trainmark {

namespace {

const nlohmann::json* usual_environment(const JournalContents& contents) {
  std::map<std::string, std::size_t> used;
  for (const RunRecord& run : contents.runs) ++used[run.environment];
  const auto most = std::max_element(
      used.begin(), used.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == used.end()) return nullptr;
  const auto found = contents.environments.find(most->first);
  return found == contents.environments.end() || !found->second.is_object() ? nullptr
                                                                            : &found->second;
}

/// Without the colon that it is known by in words.json.
std::string label_alone(Language language, const std::string& label) {
  std::string name = label_in(language, label);
  for (const std::string_view end : {" ", ":", "："})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  return name;
}

}  // namespace

std::string EnvironmentDifference::title(Language language) const {
  const std::string& area = language == Language::zh ? area_zh : area_en;
  if (label.empty()) return area;
  return fmt::format("{}{}{}", area, colon(language), label_alone(language, label));
}

std::vector<std::string> EnvironmentDifference::values(Language language) const {
  std::vector<std::string> texts;
  for (const std::vector<std::string>& of_one : lines) {
    std::vector<std::string> said;
    for (const std::string& line : of_one) said.push_back(fact_in(language, line));
    texts.push_back(said.empty() ? "-" : join(said, language == Language::zh ? "；" : "; "));
  }
  return texts;
}

std::vector<EnvironmentDifference> differences_between(
    const std::vector<const nlohmann::json*>& environments) {
  std::map<std::tuple<int, std::string, std::string>, EnvironmentDifference> facts;
  for (std::size_t place = 0; place < environments.size(); ++place) {
    if (environments[place] == nullptr || !environments[place]->is_object()) continue;
    for (const EnvironmentPart& part : environment_parts(without_moments(*environments[place]))) {
      for (const auto& [label, value] : part.lines) {
        EnvironmentDifference& fact = facts[{part.order, part.area, label}];
        if (fact.lines.empty()) {
          fact = {part.title(Language::en), part.title(Language::zh), label, {}};
          fact.lines.resize(environments.size());
        }
        fact.lines[place].push_back(value);
      }
    }
  }
  std::vector<EnvironmentDifference> differences;
  for (auto& [key, fact] : facts)
    if (std::set<std::vector<std::string>>(fact.lines.begin(), fact.lines.end()).size() > 1)
      differences.push_back(std::move(fact));
  return differences;
}

std::vector<EnvironmentDifference> environment_differences(
    const std::vector<const JournalContents*>& journals) {
  std::vector<const nlohmann::json*> environments;
  for (const JournalContents* journal : journals)
    environments.push_back(usual_environment(*journal));
  return differences_between(environments);
}

}  // namespace trainmark
