#pragma once

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace trainmark::train {

/// A mapping of a contract, read key by key; the keys that nobody asked for are an error.
class Mapping {
 public:
  Mapping(std::string where, const YAML::Node& node) : where_(std::move(where)) {
    if (!node.IsMap()) throw std::runtime_error(fmt::format("{}: a mapping is needed", where_));
    for (const auto& entry : node) entries_.push_back({entry.first.Scalar(), entry.second});
  }

  template <class Value>
  Value take(const std::string& key) {
    std::optional<Value> value = take_if_any<Value>(key);
    if (!value) throw std::runtime_error(fmt::format("{}: '{}' is missing", where_, key));
    return *value;
  }

  template <class Value>
  std::optional<Value> take_if_any(const std::string& key) {
    const std::optional<YAML::Node> node = take_node(key);
    if (!node) return std::nullopt;
    try {
      return node->as<Value>();
    } catch (const YAML::Exception& error) {
      throw std::runtime_error(fmt::format("{}: '{}': {}", where_, key, error.what()));
    }
  }

  Mapping take_mapping(const std::string& key) {
    std::optional<Mapping> mapping = take_mapping_if_there(key);
    if (!mapping) throw std::runtime_error(fmt::format("{}: '{}' is missing", where_, key));
    return std::move(*mapping);
  }

  std::optional<Mapping> take_mapping_if_there(const std::string& key) {
    const std::optional<YAML::Node> node = take_node(key);
    if (!node) return std::nullopt;
    return Mapping(fmt::format("{}: {}", where_, key), *node);
  }

  /// The entries of a mapping, in the order of the file; none where it is missing.
  std::list<std::pair<std::string, YAML::Node>> take_mapping_if_any(const std::string& key) {
    const std::optional<YAML::Node> node = take_node(key);
    if (!node) return {};
    return Mapping(fmt::format("{}: {}", where_, key), *node).take_all();
  }

  /// All that is left, in the order of the file.
  std::list<std::pair<std::string, YAML::Node>> take_all() { return std::exchange(entries_, {}); }

  void expect_nothing_left() const {
    if (entries_.empty()) return;
    throw std::runtime_error(fmt::format("{}: '{}' is unknown", where_, entries_.front().first));
  }

  const std::string& where() const { return where_; }

 private:
  std::optional<YAML::Node> take_node(const std::string& key) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (found == entries_.end()) return std::nullopt;
    const YAML::Node node = found->second;
    entries_.erase(found);
    return node;
  }

  std::string where_;
  // A list: to assign a node, as a vector does where it erases, changes what the node refers to.
  std::list<std::pair<std::string, YAML::Node>> entries_;
};

}  // namespace trainmark::train
