#include "logs/grammar/json_line.h"

#include "logs/grammar/record.h"

namespace trainmark {

namespace {

// Deeper objects are an attack and no log.
constexpr int deepest = 64;

/// Where the object at the front of the text ends; npos where it does not.
std::size_t object_end(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quoted) {
      if (letter == '\\') ++i;
      if (letter == '"') quoted = false;
    } else if (letter == '"') {
      quoted = true;
    } else if (letter == '{' || letter == '[') {
      if (++depth > deepest) return std::string_view::npos;
    } else if (letter == '}' || letter == ']') {
      if (--depth == 0) return i + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string_view take_object_text(Cursor& line) {
  if (!line.rest().starts_with("{")) return {};
  const std::size_t size = object_end(line.rest());
  if (size == std::string_view::npos) return {};
  const std::string_view text = line.rest().substr(0, size);
  line.move_to(line.place() + size);
  return text;
}

std::optional<nlohmann::json> take_object(Cursor& line) {
  const std::string_view text = take_object_text(line);
  if (text.empty()) return std::nullopt;
  auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  return object;
}

double number_in(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return not_known;
  if (found->is_number()) return found->get<double>();
  double value = not_known;
  if (found->is_string()) Cursor(found->get_ref<const std::string&>()).number(value);
  return value;
}

const nlohmann::json& object_in(const nlohmann::json& object, const char* name) {
  static const nlohmann::json empty = nlohmann::json::object();
  const auto found = object.find(name);
  return found != object.end() && found->is_object() ? *found : empty;
}

std::string text_in(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace trainmark
