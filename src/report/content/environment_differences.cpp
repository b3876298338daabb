#include "report/content/environment_differences.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

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

/// What is never twice the same, and explains nothing.
bool matters(const EnvironmentPart& part, const std::string& label, const std::string& value) {
  return !(part.area == "memory" && label == "available") &&
         !(part.area == "cpu" && label == "clock" && value.starts_with("now "));
}

}  // namespace

std::string EnvironmentDifference::title(Language language) const {
  const std::string& area = language == Language::zh ? area_zh : area_en;
  return label.empty() ? area : area + ": " + label;
}

std::vector<EnvironmentDifference> environment_differences(
    const std::vector<const JournalContents*>& journals) {
  std::map<std::tuple<int, std::string, std::string>, EnvironmentDifference> facts;
  for (std::size_t place = 0; place < journals.size(); ++place) {
    const nlohmann::json* environment = usual_environment(*journals[place]);
    if (environment == nullptr) continue;
    for (const EnvironmentPart& part : environment_parts(*environment)) {
      for (const auto& [label, value] : part.lines) {
        if (!matters(part, label, value)) continue;
        EnvironmentDifference& fact = facts[{part.order, part.area, label}];
        if (fact.values.empty()) {
          fact = {part.title(Language::en), part.title(Language::zh), label,
                  std::vector<std::string>(journals.size(), "-")};
        }
        // Lines of one label (several GPUs) are one fact together.
        std::string& text = fact.values[place];
        text = text == "-" ? value : text + "; " + value;
      }
    }
  }
  std::vector<EnvironmentDifference> differences;
  for (auto& [key, fact] : facts)
    if (std::set<std::string>(fact.values.begin(), fact.values.end()).size() > 1)
      differences.push_back(std::move(fact));
  return differences;
}

}  // namespace trainmark
