#include "report/content/environment_parts.h"

#include <algorithm>
#include <array>

#include "base/json_fields.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

constexpr auto software_areas = std::to_array<std::string_view>(
    {"system", "isolation", "libraries", "tools", "variables", "trainmark"});

AreaLines plain_lines(const Json& value) {
  if (!value.is_object()) return {{"", json_line(value)}};
  AreaLines lines;
  for (const auto& [key, field] : value.items()) lines.emplace_back(key, json_line(field));
  return lines;
}

EnvironmentPart part_of(const std::string& name, const Json& value) {
  EnvironmentPart part;
  part.area = name;
  part.software =
      std::find(software_areas.begin(), software_areas.end(), name) != software_areas.end();
  if (const Area* area = Registry<Area>::find(name)) {
    part.order = area->order;
    part.lines = area->describe(value);
  }
  if (part.lines.empty()) part.lines = plain_lines(value);
  std::erase_if(part.lines, [](const auto& line) { return line.second.empty(); });
  return part;
}

}  // namespace

std::string EnvironmentPart::title(Language language) const {
  if (const Phrase* title = find_phrase(area_phrases(), area))
    return std::string(title->in(language));
  const Area* known = Registry<Area>::find(area);
  return known ? known->title : area;
}

std::vector<EnvironmentPart> environment_parts(const Json& environment) {
  std::vector<EnvironmentPart> parts;
  for (const auto& [name, value] : environment.items())
    if (name != "schema") parts.push_back(part_of(name, value));
  std::stable_sort(
      parts.begin(), parts.end(),
      [](const EnvironmentPart& a, const EnvironmentPart& b) { return a.order < b.order; });
  return parts;
}

}  // namespace trainmark
