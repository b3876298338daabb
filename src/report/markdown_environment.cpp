// The machine and its software, from whatever the environment records hold.

#include <array>
#include <map>
#include <ostream>
#include <utility>

#include "base/text.h"
#include "report/markdown_sections.h"
#include "report/markdown_text.h"
#include "report/result_json.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

// Beyond this an environment record is not read by anyone, and a hostile one would never end.
constexpr int deepest = 4;
constexpr std::size_t longest_list = 32;

constexpr auto software_keys = std::to_array<std::string_view>(
    {"software", "system", "os", "kernel", "driver", "libraries", "versions", "compiler", "python",
     "container", "trainmark", "cuda", "nccl", "cudnn", "mpi"});

bool is_software(std::string_view key) {
  for (const std::string_view known : software_keys)
    if (key == known) return true;
  return false;
}

std::string words_of(std::string key) {
  for (char& letter : key)
    if (letter == '_') letter = ' ';
  return markdown_text(key);
}

std::string scalar(const Json& value, std::string_view key) {
  if (value.is_string()) return markdown_text(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number() && key.ends_with("_bytes"))
    return fmt::format("{:.1f} GiB", value.get<double>() / (1024.0 * 1024 * 1024));
  if (value.is_number_float()) return figure(value.get<double>());
  return markdown_text(json_text(value));
}

/// What all elements of a list say alike: eight GPUs are described once.
Json common(const Json& list) {
  Json same = list.front();
  for (const Json& element : list) {
    for (auto field = same.begin(); field != same.end();) {
      const auto other = element.find(field.key());
      field = other == element.end() || *other != *field ? same.erase(field) : std::next(field);
    }
  }
  return same;
}

bool all_objects(const Json& list) {
  for (const Json& element : list)
    if (!element.is_object()) return false;
  return !list.empty();
}

void write_value(const std::string& key, const Json& value, int depth, std::ostream& out) {
  if (value.is_null() || (value.is_structured() && value.empty()) || depth > deepest) return;
  out << std::string(static_cast<std::size_t>(depth) * 2, ' ') << "- " << words_of(key) << ": ";
  if (value.is_array() && all_objects(value)) {
    Json same = common(value);
    if (const auto name = same.find("name"); name != same.end()) {
      out << scalar(*name, "name");
      same.erase(name);
    }
    out << " × " << value.size() << '\n';
    for (const auto& [inner, field] : same.items()) write_value(inner, field, depth + 1, out);
  } else if (value.is_array()) {
    std::vector<std::string> texts;
    for (const Json& element : value) {
      if (texts.size() == longest_list) {
        texts.push_back("…");
        break;
      }
      if (!element.is_structured()) texts.push_back(scalar(element, key));
    }
    out << join(texts, ", ") << '\n';
  } else if (value.is_object()) {
    out << '\n';
    for (const auto& [inner, field] : value.items()) write_value(inner, field, depth + 1, out);
  } else {
    out << scalar(value, key) << '\n';
  }
}

void write_part(Word heading, const Json& environment, bool software, Language language,
                std::ostream& out) {
  bool any = false;
  for (const auto& [key, value] : environment.items()) {
    if (is_software(key) != software) continue;
    if (!std::exchange(any, true)) out << "**" << say(heading, language) << "**\n\n";
    write_value(key, value, 0, out);
  }
  if (any) out << '\n';
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
