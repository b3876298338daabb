#include "base/json_fields.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/text.h"

namespace trainmark {

const nlohmann::json* json_field(const nlohmann::json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string json_string(const nlohmann::json& object, std::string_view key) {
  const nlohmann::json* field = json_field(object, key);
  return field != nullptr && field->is_string() ? printable(field->get_ref<const std::string&>())
                                                : std::string();
}

std::optional<double> json_number(const nlohmann::json& object, std::string_view key) {
  const nlohmann::json* field = json_field(object, key);
  if (field == nullptr || !field->is_number()) return std::nullopt;
  return field->get<double>();
}

std::optional<bool> json_switch(const nlohmann::json& object, std::string_view key) {
  const nlohmann::json* field = json_field(object, key);
  if (field == nullptr || !field->is_boolean()) return std::nullopt;
  return field->get<bool>();
}

std::int64_t whole_number(const nlohmann::json& object, const char* name) {
  constexpr double most = 9007199254740992;  // 2^53: beyond, not every whole number is one
  const double value = object.at(name).get<double>();
  if (!(std::abs(value) <= most) || value != std::floor(value))
    throw std::invalid_argument(fmt::format("'{}' must be a whole number", name));
  return static_cast<std::int64_t>(value);
}

std::string json_line(const nlohmann::json& value) {
  if (value.is_string()) return printable(value.get_ref<const std::string&>());
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (const nlohmann::json& part : value) parts.push_back(json_line(part));
    return join(parts, ", ");
  }
  return printable(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string json_trouble(std::string_view message) {
  if (!message.starts_with("[json.exception.")) return printable(message, 1000);
  std::string words = printable(trim(message.substr(message.find(']') + 1)), 1000);
  const std::string at = "parse error at ";
  if (!words.starts_with(at)) return words;
  words.replace(0, at.size(), "not valid JSON: ");
  // "syntax error while parsing value - " names a rule of the grammar.
  const std::size_t rule = words.find("syntax error while parsing ");
  const std::size_t end = words.find(" - ", rule);
  if (rule != std::string::npos && end != std::string::npos) words.erase(rule, end + 3 - rule);
  return words;
}

void set_field(nlohmann::json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 5> units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  const bool whole = bytes == static_cast<double>(static_cast<long long>(bytes));
  return fmt::format("{:.{}f} {}", bytes, whole ? 0 : 1, units[unit]);
}

}  // namespace trainmark
