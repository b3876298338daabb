#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// Where something was written, for messages: "suites/quick.yaml:12".
struct Place {
  std::string file;
  int line = 0;

  std::string text() const;
};

/// A value with its place, so that a later check can still point at it.
template <class Value>
struct Placed {
  Value value{};
  Place place;
};

/// Throws UserError "FILE:LINE: message".
[[noreturn]] void fail_at(const Place& place, const std::string& message);

/// A YAML mapping, read strictly: every key is asked for by name, and `finish` refuses the ones
/// that nobody asked for.
class YamlMap {
 public:
  YamlMap(const YAML::Node& node, std::string file, std::string what);

  /// The value of a key, or an undefined node.
  YAML::Node take(std::string_view key);

  std::optional<Placed<std::string>> text(std::string_view key);
  std::optional<Placed<double>> number(std::string_view key);
  std::optional<Placed<double>> number(std::string_view key, double least, double most);
  std::optional<Placed<std::int64_t>> integer(std::string_view key, std::int64_t least,
                                              std::int64_t most);
  /// One scalar or a list of scalars; never empty, no value twice.
  std::vector<Placed<std::string>> list(std::string_view key);
  /// A list of words as an argument vector: repeats are allowed.
  std::vector<std::string> words(std::string_view key);
  std::optional<YamlMap> map(std::string_view key);
  std::vector<YamlMap> maps(std::string_view key);

  /// The keys that have not been taken, with their places.
  std::vector<Placed<std::string>> rest() const;

  /// Refuses keys that were never taken, naming the nearest one that exists.
  void finish() const;

  Place place() const { return place_of(node_); }
  Place place_of(const YAML::Node& node) const;

 private:
  YAML::Node node_;
  std::string file_;
  std::string what_;  // "the suite", "matrix": for messages
  std::vector<std::string> known_;
};

/// A file's only document, which must be a mapping. Throws UserError with file:line.
YamlMap read_yaml(const std::string& text, const std::string& file, const std::string& what);

/// "0.5%" → 0.005, "0.5" → 0.5.
std::optional<double> parse_real(std::string_view text);

/// "90", "90s", "10m", "2h" → seconds.
std::optional<double> parse_seconds(std::string_view text);

/// A whole number, all of the text.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace trainmark
