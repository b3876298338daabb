#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace trainmark {

/// Fields of a JSON that may be of any shape. Nothing, never an error, where a field is missing or
/// of another type.
const nlohmann::json* json_field(const nlohmann::json& object, std::string_view key);
std::string json_string(const nlohmann::json& object, std::string_view key);
std::optional<double> json_number(const nlohmann::json& object, std::string_view key);
std::optional<bool> json_switch(const nlohmann::json& object, std::string_view key);

/// A number of at most 53 bits, which JSON may write as 5.0. Throws std::invalid_argument that
/// names the field where it is anything else, and the library's own error where it is missing.
std::int64_t whole_number(const nlohmann::json& object, const char* name);

/// Any value as one line of text.
std::string json_line(const nlohmann::json& value);

/// What the JSON library says of a fault, without its own names: "not valid JSON: line 1, column 2:
/// invalid number". Other messages stay as they are.
std::string json_trouble(std::string_view message);

/// Sets a field, unless there is nothing to set.
void set_field(nlohmann::json& object, const char* key, const std::string& value);
template <class Value>
void set_field(nlohmann::json& object, const char* key, const std::optional<Value>& value) {
  if (value) object[key] = *value;
}

/// "503.8 GiB".
std::string bytes_text(double bytes);

}  // namespace trainmark
