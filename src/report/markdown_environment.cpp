// The machine and its software, area by area as `trainmark env` has them.

#include <algorithm>
#include <array>
#include <map>
#include <ostream>

#include "environ/area.h"
#include "environ/json_fields.h"
#include "report/markdown_sections.h"
#include "report/markdown_text.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

constexpr auto software_areas = std::to_array<std::string_view>(
    {"system", "isolation", "libraries", "tools", "variables", "trainmark"});

struct Part {
  int order = 1000;  // an area of a newer version, which this one has no words for, goes last
  std::string title;
  AreaLines lines;
};

Part part_of(const std::string& name, const Json& value, Language language) {
  Part part;
  const Area* area = Registry<Area>::find(name);
  const Phrase* title = find_phrase(area_phrases(), name);
  part.title = title ? std::string(title->in(language)) : area ? area->title : name;
  if (area) {
    part.order = area->order;
    part.lines = area->describe(value);
  }
  if (!part.lines.empty()) return part;
  if (!value.is_object()) return {part.order, part.title, {{"", json_line(value)}}};
  for (const auto& [key, field] : value.items()) part.lines.emplace_back(key, json_line(field));
  return part;
}

void write_part(Word heading, const Json& environment, bool software, Language language,
                std::ostream& out) {
  std::vector<Part> parts;
  for (const auto& [name, value] : environment.items()) {
    const bool is_software =
        std::find(software_areas.begin(), software_areas.end(), name) != software_areas.end();
    if (name != "schema" && is_software == software)
      parts.push_back(part_of(name, value, language));
  }
  if (parts.empty()) return;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.order < b.order; });
  out << "**" << say(heading, language) << "**\n\n";
  for (const Part& part : parts) {
    out << "- " << markdown_text(part.title) << '\n';
    for (const auto& [label, value] : part.lines) {
      if (value.empty()) continue;
      out << "  - " << markdown_text(label) << (label.empty() ? "" : ": ") << markdown_text(value)
          << '\n';
    }
  }
  out << '\n';
}

}  // namespace

void write_environment(const ReportInput& input, std::ostream& out) {
  out << "## " << say(Word::environment, input.language) << "\n\n";
  std::map<std::string, std::size_t> used;
  for (const RunRecord& run : input.contents.runs) ++used[run.environment];
  bool any = false;
  for (const auto& [id, runs] : used) {
    const auto found = input.contents.environments.find(id);
    if (found == input.contents.environments.end() || !found->second.is_object()) continue;
    any = true;
    out << say(Word::environment_used_by, input.language, markdown_code(id), runs) << "\n\n";
    write_part(Word::machine, found->second, false, input.language, out);
    write_part(Word::software, found->second, true, input.language, out);
  }
  if (!any) out << say(Word::no_environment, input.language) << "\n\n";
}

}  // namespace trainmark
