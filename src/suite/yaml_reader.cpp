#include "suite/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "suite/yaml_documents.h"
#include "suite/yaml_trouble.h"

namespace trainmark {

namespace {

const char* kind_of(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Scalar:
      return "a single value";
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Map:
      return "a mapping";
    default:
      return "nothing";
  }
}

}  // namespace

std::string Place::text() const {
  return line > 0 ? fmt::format("{}:{}", file, line) : file;
}

void fail_at(const Place& place, const std::string& message) {
  throw UserError(place.text() + ": " + message);
}

YamlMap::YamlMap(const YAML::Node& node, std::string file, std::string what)
    : node_(node), file_(std::move(file)), what_(std::move(what)) {
  if (!node_.IsMap()) {
    fail_at(place(),
            fmt::format("{} must be a mapping (key: value), not {}", what_, kind_of(node_)));
  }
  std::vector<std::string> seen;
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) fail_at(place_of(entry.first), "a key must be a plain word");
    const std::string key = entry.first.Scalar();
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      fail_at(place_of(entry.first),
              fmt::format("'{}' appears twice in {}; write it once", printable(key), what_));
    }
    seen.push_back(key);
  }
}

Place YamlMap::place_of(const YAML::Node& node) const {
  // yaml-cpp counts lines from 0, and gives -1 where it does not know.
  return {file_, node.Mark().line + 1};
}

YAML::Node YamlMap::take(std::string_view key) {
  known_.emplace_back(key);
  for (const auto& entry : node_) {
    if (entry.first.Scalar() == key) {
      if (entry.second.IsNull()) {
        fail_at(place_of(entry.first), fmt::format("'{}' has no value", key));
      }
      return entry.second;
    }
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

std::optional<Placed<std::string>> YamlMap::text(std::string_view key) {
  const YAML::Node node = take(key);
  if (!node.IsDefined()) return std::nullopt;
  if (!node.IsScalar() || node.Scalar().empty()) {
    fail_at(place_of(node), fmt::format("'{}' must be a single value, not {}", key,
                                        node.IsScalar() ? "an empty one" : kind_of(node)));
  }
  return Placed<std::string>{node.Scalar(), place_of(node)};
}

std::optional<Placed<double>> YamlMap::number(std::string_view key) {
  const auto given = text(key);
  if (!given) return std::nullopt;
  const auto value = parse_real(given->value);
  if (!value) {
    fail_at(given->place, fmt::format("'{}' must be a number, such as 20 or 0.5%, not '{}'", key,
                                      printable(given->value)));
  }
  return Placed<double>{*value, given->place};
}

std::optional<Placed<double>> YamlMap::number(std::string_view key, double least, double most) {
  auto value = number(key);
  if (value && (value->value < least || value->value > most)) {
    fail_at(value->place, fmt::format("'{}' must be a number from {:g} to {:g}, not {:g}", key,
                                      least, most, value->value));
  }
  return value;
}

std::optional<Placed<std::int64_t>> YamlMap::integer(std::string_view key, std::int64_t least,
                                                     std::int64_t most) {
  const auto given = text(key);
  if (!given) return std::nullopt;
  const auto value = parse_integer(given->value);
  if (!value || *value < least || *value > most) {
    fail_at(given->place, fmt::format("'{}' must be a whole number from {} to {}, not '{}'", key,
                                      least, most, printable(given->value)));
  }
  return Placed<std::int64_t>{*value, given->place};
}

std::vector<Placed<std::string>> YamlMap::list(std::string_view key) {
  const YAML::Node node = take(key);
  std::vector<Placed<std::string>> values;
  if (!node.IsDefined()) return values;
  if (node.IsScalar()) {
    values.push_back({node.Scalar(), place_of(node)});
  } else if (node.IsSequence()) {
    for (const auto& item : node) {
      if (!item.IsScalar()) {
        fail_at(place_of(item),
                fmt::format("'{}' is a list of single values, not of {}", key, kind_of(item)));
      }
      values.push_back({item.Scalar(), place_of(item)});
    }
  } else {
    fail_at(place_of(node),
            fmt::format("'{}' must be a value or a list of values, not {}", key, kind_of(node)));
  }
  if (values.empty()) {
    fail_at(place_of(node),
            fmt::format("'{}' is empty; name at least one value or leave it out", key));
  }
  // Sorting keeps this quick for the longest list that a file may hold.
  std::vector<const Placed<std::string>*> sorted;
  for (const auto& value : values) {
    if (value.value.empty()) fail_at(value.place, fmt::format("'{}' holds an empty value", key));
    sorted.push_back(&value);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->value < b->value; });
  const auto twice =
      std::adjacent_find(sorted.begin(), sorted.end(),
                         [](const auto* a, const auto* b) { return a->value == b->value; });
  if (twice != sorted.end()) {
    const auto* second = *(twice + 1);
    fail_at(second->place, fmt::format("duplicate cell: '{}' appears twice in '{}'; write it once "
                                       "(to measure more often, use 'rounds')",
                                       printable(second->value), key));
  }
  return values;
}

std::vector<std::string> YamlMap::words(std::string_view key) {
  const YAML::Node node = take(key);
  std::vector<std::string> result;
  if (!node.IsDefined()) return result;
  if (!node.IsSequence()) {
    fail_at(place_of(node),
            fmt::format("'{}' must be a list of strings ([a, b]), not {}", key, kind_of(node)));
  }
  for (const auto& item : node) {
    if (!item.IsScalar()) {
      fail_at(place_of(item),
              fmt::format("'{}' is a list of strings, not of {}", key, kind_of(item)));
    }
    result.push_back(item.Scalar());
  }
  return result;
}

std::optional<YamlMap> YamlMap::map(std::string_view key) {
  const YAML::Node node = take(key);
  if (!node.IsDefined()) return std::nullopt;
  return YamlMap(node, file_, fmt::format("'{}'", key));
}

std::vector<YamlMap> YamlMap::maps(std::string_view key) {
  const YAML::Node node = take(key);
  std::vector<YamlMap> result;
  if (!node.IsDefined()) return result;
  if (node.IsMap()) {
    result.emplace_back(node, file_, fmt::format("'{}'", key));
  } else if (node.IsSequence() && node.size() > 0) {
    for (const auto& item : node) {
      result.emplace_back(item, file_, fmt::format("an entry of '{}'", key));
    }
  } else {
    fail_at(place_of(node), fmt::format("'{}' must be a mapping or a list of mappings, not {}", key,
                                        node.IsSequence() ? "an empty list" : kind_of(node)));
  }
  return result;
}

std::vector<Placed<std::string>> YamlMap::rest() const {
  std::vector<Placed<std::string>> result;
  for (const auto& entry : node_) {
    const std::string key = entry.first.Scalar();
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
      result.push_back({key, place_of(entry.first)});
    }
  }
  return result;
}

void YamlMap::finish() const {
  for (const auto& key : rest()) {
    fail_at(key.place, fmt::format("unknown key '{}' in {}; {}", printable(key.value), what_,
                                   suggest(key.value, known_)));
  }
}

YamlMap read_yaml(const std::string& text, const std::string& file, const std::string& what) {
  try {
    if (const int line = second_document(text); line > 0) {
      fail_at({file, line},
              "unexpected text after the end of the document, such as a comma or a second "
              "document; write one document in each file");
    }
    const YAML::Node document = YAML::Load(text);
    if (!document.IsDefined() || document.IsNull()) {
      throw UserError(file + ": the file is empty; " + what + " needs at least one key");
    }
    return YamlMap(document, file, what);
  } catch (const YAML::Exception& error) {
    fail_at({file, error.mark.line + 1},
            "not valid YAML: " + yaml_trouble(error.msg, text, error.mark.line));
  }
}

std::optional<double> parse_real(std::string_view text) {
  double factor = 1;
  if (text.ends_with('%')) {
    factor = 0.01;
    text = trim(text.substr(0, text.size() - 1));
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value * factor;
}

std::optional<double> parse_seconds(std::string_view text) {
  double factor = 1;
  if (text.ends_with('s')) {
    text.remove_suffix(1);
  } else if (text.ends_with('m')) {
    factor = 60;
    text.remove_suffix(1);
  } else if (text.ends_with('h')) {
    factor = 3600;
    text.remove_suffix(1);
  }
  if (text.ends_with('%')) return std::nullopt;
  const auto value = parse_real(trim(text));
  if (!value || *value <= 0) return std::nullopt;
  return *value * factor;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace trainmark
