#include "bench/node_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/verdict_names.h"
#include "environ/machine/environment.h"
#include "measure/statistics.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

constexpr double same_size = 0.02;         // relative, of memory and of nominal clocks
constexpr double slower_clock = 0.05;      // relative, of clocks that were measured
constexpr std::size_t most_facts = 4;      // that are named
constexpr std::size_t most_hosts = 4;      // of one fact
constexpr std::size_t longest_value = 60;  // bytes

/// The facts of an environment by their paths: "cpu.limit_cores".
using NodeFacts = std::map<std::string, Json>;

void flatten(const std::string& path, const Json& value, NodeFacts& facts) {
  if (!value.is_structured()) {
    facts[path] = value;
    return;
  }
  const std::string before = path.empty() ? "" : path + ".";
  if (value.is_array()) facts[before + "count"] = value.size();
  for (const auto& [key, part] : value.items()) flatten(before + key, part, facts);
}

NodeFacts facts_of(const NodeReport& node) {
  NodeFacts facts;
  flatten("", what_identifies(node.environment), facts);
  // What measures is no part of the machine's id, but must be the same everywhere.
  if (const Json* own = json_field(node.environment, "trainmark"))
    flatten("trainmark", *own, facts);
  return facts;
}

bool is_measure(const std::string& path) {
  return path.ends_with("bytes") || path.ends_with("mhz");
}

bool same_fact(const std::string& path, const Json& one, const Json& other) {
  if (!is_measure(path) || !one.is_number() || !other.is_number()) return one == other;
  const double a = one.get<double>(), b = other.get<double>();
  return std::abs(a - b) <= same_size * std::max(std::abs(a), std::abs(b));
}

std::string shown(const Json& value) {
  return value.is_null() ? "missing" : printable(json_line(value), longest_value);
}

std::string hosts_text(const std::vector<std::string>& hosts) {
  const std::size_t named = std::min(hosts.size(), most_hosts);
  const std::string text =
      join({hosts.begin(), hosts.begin() + static_cast<std::ptrdiff_t>(named)}, ", ");
  return hosts.size() == named ? text : fmt::format("{} and {} more", text, hosts.size() - named);
}

/// The value that most nodes have; of several such values, that of the first node that has one.
const Json& usual_value(const std::string& path, const std::vector<Json>& values) {
  std::size_t best = 0, most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto same = static_cast<std::size_t>(
        std::count_if(values.begin(), values.end(),
                      [&](const Json& other) { return same_fact(path, values[i], other); }));
    if (same > most) {
      most = same;
      best = i;
    }
  }
  return values[best];
}

std::vector<std::string> environment_facts(const std::vector<const NodeReport*>& nodes) {
  std::map<std::string, std::vector<Json>> by_path;
  for (std::size_t place = 0; place < nodes.size(); ++place)
    for (auto& [path, value] : facts_of(*nodes[place])) {
      auto& values = by_path[path];
      values.resize(nodes.size());
      values[place] = std::move(value);
    }
  std::vector<std::string> texts;
  for (const auto& [path, values] : by_path) {
    const Json& usual = usual_value(path, values);
    std::map<std::string, std::vector<std::string>> unlike;  // hosts by value
    for (std::size_t place = 0; place < nodes.size(); ++place)
      if (!same_fact(path, values[place], usual))
        unlike[shown(values[place])].push_back(nodes[place]->host);
    std::vector<std::string> values_shown;
    for (const auto& [value, hosts] : unlike)
      values_shown.push_back(fmt::format("{} on {}", value, hosts_text(hosts)));
    if (!values_shown.empty())
      texts.push_back(fmt::format("{} is {}, elsewhere {}", printable(path),
                                  join(values_shown, ", "), shown(usual)));
  }
  return texts;
}

/// Mean clock of the busy GPUs of a node.
std::optional<double> gpu_mhz(const Json& conditions) {
  const Json* gpus = json_field(conditions, "gpus");
  if (gpus == nullptr || !gpus->is_array()) return std::nullopt;
  std::vector<double> clocks;
  for (const Json& gpu : *gpus)
    if (const auto mhz = json_number(gpu, "sm_mhz")) clocks.push_back(*mhz);
  return clocks.empty() ? std::nullopt : std::optional(mean(clocks));
}

template <class Figure>
void add_slower(const std::vector<NodeReport>& nodes, const char* what, const Figure& figure,
                std::vector<std::string>& texts) {
  std::vector<double> clocks;
  for (const NodeReport& node : nodes)
    if (const auto mhz = figure(node.conditions)) clocks.push_back(*mhz);
  if (clocks.size() < 2) return;
  // Of two, the faster one is the measure of the other.
  const double usual = clocks.size() == 2 ? std::max(clocks[0], clocks[1]) : median(clocks);
  for (const NodeReport& node : nodes) {
    const auto mhz = figure(node.conditions);
    if (mhz && *mhz < (1 - slower_clock) * usual)
      texts.push_back(fmt::format("{} of {} ran at {:.0f} MHz, {:.0f} % below the usual {:.0f} MHz",
                                  what, node.host, *mhz, 100 * (1 - *mhz / usual), usual));
  }
}

}  // namespace

Verdicts node_differences(const std::vector<NodeReport>& nodes) {
  std::vector<const NodeReport*> told;
  for (const NodeReport& node : nodes)
    if (!node.environment.is_null()) told.push_back(&node);
  std::vector<std::string> texts;
  // What was measured goes first: it has certainly changed the figure.
  add_slower(
      nodes, "the cores", [](const Json& c) { return json_number(c, "clock_mhz"); }, texts);
  add_slower(nodes, "the GPUs", gpu_mhz, texts);
  for (std::string& text : environment_facts(told)) texts.push_back(std::move(text));
  if (texts.empty()) return {};
  const std::size_t all = texts.size();
  texts.resize(std::min(all, most_facts));
  std::string message = join(texts, "; ");
  if (all > most_facts)
    message += fmt::format("; and {} more", counted(all - most_facts, "difference"));
  return {{verdicts::nodes_differ, message}};
}

}  // namespace trainmark
