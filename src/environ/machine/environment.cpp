#include "environ/machine/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/text.h"
#include "environ/machine/area.h"

namespace trainmark {

using nlohmann::json;

namespace {

constexpr int schema = 1;

bool counts_for_id(const std::string& key) {
  return key != "now" && key != "instance" && key != "trainmark";
}

/// The value without the keys that are not to be kept, however deep they stand.
template <class Kept>
json kept_keys(const json& value, const Kept& kept) {
  if (value.is_array()) {
    json result = json::array();
    for (const json& part : value) result.push_back(kept_keys(part, kept));
    return result;
  }
  if (!value.is_object()) return value;
  json result = json::object();
  for (const auto& [key, part] : value.items()) {
    if (kept(key)) result[key] = kept_keys(part, kept);
  }
  return result;
}

/// FNV-1a: the same on every machine and in every version, which std::hash does not promise.
std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char letter : text) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

/// For an area of a newer version, which this one has no words for.
AreaLines plain_lines(const json& area) {
  AreaLines lines;
  if (!area.is_object()) return {{"", json_line(area)}};
  for (const auto& [key, value] : area.items()) lines.emplace_back(key, json_line(value));
  return lines;
}

std::string section(const std::string& title, const AreaLines& lines) {
  std::string text = title + "\n";
  std::size_t width = 0;
  for (const auto& [label, value] : lines) width = std::max(width, display_width(label));
  for (const auto& [label, value] : lines) {
    text +=
        fmt::format("  {}{}  {}\n", label, std::string(width - display_width(label), ' '), value);
  }
  return text;
}

}  // namespace

json collect_environment() {
  return collect_environment(Machine::here());
}

json collect_environment(const Machine& machine) {
  json environment = {{"schema", schema}};
  for (const auto& [name, area] : Registry<Area>::all()) {
    json part;
    try {
      part = area.collect(machine);
    } catch (const std::exception& problem) {
      // An inventory with a gap is worth more than no measurement on an odd machine.
      part = {{"problem", printable(problem.what())}};
    }
    if (!part.empty()) environment[name] = std::move(part);
  }
  return environment;
}

json what_identifies(const json& environment) {
  return kept_keys(environment, counts_for_id);
}

json without_moments(const json& environment) {
  return kept_keys(environment, [](const std::string& key) { return key != "now"; });
}

json environment_instance(const json& value) {
  json result;
  if (value.is_array()) {
    for (const json& part : value)
      if (json own = environment_instance(part); !own.is_null()) result.push_back(std::move(own));
  }
  if (!value.is_object()) return result;
  for (const auto& [key, part] : value.items()) {
    if (key == "instance" && part.is_object()) {
      result.update(part);
    } else if (json own = environment_instance(part); !own.is_null()) {
      result[key] = std::move(own);
    }
  }
  return result;
}

std::string environment_id(const json& environment) {
  const json kept = what_identifies(environment);
  return fmt::format("{:016x}",
                     stable_hash(kept.dump(-1, ' ', false, json::error_handler_t::replace)));
}

std::string environment_text(const json& environment) {
  struct Part {
    int order;
    std::string title;
    AreaLines lines;
  };
  std::vector<Part> parts;
  if (!environment.is_object()) return "";
  for (const auto& [name, value] : environment.items()) {
    if (name == "schema") continue;
    const Area* area = Registry<Area>::find(name);
    Part part{
        area != nullptr ? area->order : 1000, area != nullptr ? area->title : printable(name), {}};
    if (area != nullptr) part.lines = area->describe(value);
    if (part.lines.empty()) part.lines = plain_lines(value);
    if (!part.lines.empty()) parts.push_back(std::move(part));
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.order < b.order; });
  std::string text;
  for (const Part& part : parts) text += section(part.title, part.lines) + "\n";
  return text + fmt::format("Environment {}\n", environment_id(environment));
}

}  // namespace trainmark
