#include "suite/foreign_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

namespace {

/// A word that may stand in braces: what it means, and the dimensions that decide it.
struct Filler {
  std::vector<std::string> dimensions;
  std::string (*value)(const CommandUse& use);
};

std::string number(int value) {
  return std::to_string(value);
}

/// "0,1,2,3": the GPUs of one node.
std::string gpu_list(const CommandUse& use) {
  std::vector<std::string> numbers;
  for (int i = 0; i < use.cell.scale.per_node; ++i) numbers.push_back(number(i));
  return join(numbers, ",");
}

/// Jobs on several nodes are planned and not started: whoever starts them puts their names there.
std::string node_name(const CommandUse& use, int node) {
  return use.cell.scale.nodes == 1 ? "127.0.0.1" : fmt::format("NODE-{}", node);
}

std::string master(const CommandUse& use) {
  return node_name(use, 0);
}

std::string node_list(const CommandUse& use) {
  std::vector<std::string> names;
  for (int node = 0; node < use.cell.scale.nodes; ++node) names.push_back(node_name(use, node));
  return join(names, ",");
}

/// What a block does not say, a command has no word for: it is refused before (settle.cpp).
std::string shape_of(const CommandUse& use, const std::string& name) {
  const auto found = use.cell.shapes.find(name);
  return found == use.cell.shapes.end() ? "" : shape_text(found->second);
}

const std::map<std::string, Filler>& fillers() {
  using Use = const CommandUse&;
  static const std::map<std::string, Filler> all = {
      {"workload", {{"workload"}, [](Use use) { return use.cell.workload; }}},
      {"size", {{"size"}, [](Use use) { return use.cell.size; }}},
      {"precision", {{"precision"}, [](Use use) { return use.cell.precision; }}},
      {"batch", {{"batch"}, [](Use use) { return number(use.cell.batch); }}},
      {"global_batch",
       {{"batch", "scale"},
        [](Use use) { return number(use.cell.batch * use.cell.scale.ranks()); }}},
      {"step_batch",
       {{"batch", "accumulate"},
        [](Use use) { return number(use.cell.batch * use.cell.accumulate); }}},
      {"accumulate", {{"accumulate"}, [](Use use) { return number(use.cell.accumulate); }}},
      {"device", {{"device"}, [](Use use) { return use.cell.device; }}},
      {"gpus", {{"scale"}, [](Use use) { return number(use.cell.scale.ranks()); }}},
      {"per_node", {{"scale"}, [](Use use) { return number(use.cell.scale.per_node); }}},
      {"gpu_list", {{"scale"}, gpu_list}},
      {"nodes", {{"scale"}, [](Use use) { return number(use.cell.scale.nodes); }}},
      {"node", {{"scale"}, [](Use use) { return number(use.node); }}},
      {"master", {{"scale"}, master}},
      {"node_name", {{"scale"}, [](Use use) { return node_name(use, use.node); }}},
      {"node_list", {{"scale"}, node_list}},
      {"resolution", {{"resolution"}, [](Use use) { return shape_of(use, "resolution"); }}},
      {"sequence", {{"sequence"}, [](Use use) { return shape_of(use, "sequence"); }}},
      {"classes", {{"classes"}, [](Use use) { return shape_of(use, "classes"); }}},
      {"sample_rate", {{"sample_rate"}, [](Use use) { return shape_of(use, "sample_rate"); }}},
      {"seed", {{}, [](Use use) { return std::to_string(use.seed); }}},
      {"steps", {{}, [](Use use) { return std::to_string(use.most_steps); }}}};
  return all;
}

/// Calls `visit` with every word in braces and the text around them. `{{` and `}}` are braces
/// themselves; what is in braces and is no plain word (JSON, for one) is left alone.
template <class Text, class Word>
void walk(const std::string& text, Text take_text, Word take_word) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.compare(at, 2, "{{") == 0 || text.compare(at, 2, "}}") == 0) {
      take_text(text.substr(at, 1));
      at += 2;
      continue;
    }
    const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
    const std::string word = end == std::string::npos ? "" : text.substr(at + 1, end - at - 1);
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || c == '_';
    });
    if (plain) {
      take_word(word);
      at = end + 1;
    } else {
      take_text(text.substr(at, 1));
      ++at;
    }
  }
}

std::vector<std::string> filler_names() {
  std::vector<std::string> names;
  for (const auto& [name, filler] : fillers()) names.push_back(name);
  return names;
}

void check_words(const std::vector<std::string>& words, const Place& place) {
  for (const auto& text : words) {
    walk(
        text, [](const std::string&) {},
        [&](const std::string& word) {
          if (fillers().contains(word)) return;
          fail_at(place, fmt::format("unknown placeholder {{{}}} in '{}'; {} (write {{{{ "
                                     "for a literal brace)",
                                     word, printable(text), suggest(word, filler_names())));
        });
  }
}

CommandCase parse_case(YamlMap map) {
  CommandCase result;
  result.values = take_dimensions(map);
  result.command = map.words("command");
  result.arguments = map.words("arguments");
  map.finish();
  if (result.values.empty())
    fail_at(map.place(), "'when' names no cell; write {precision: amp-fp16, arguments: [--amp]}");
  if (result.command.empty() && result.arguments.empty())
    fail_at(map.place(), "'when' changes nothing; write the 'arguments' to add, or a 'command'");
  check_words(result.command, map.place());
  check_words(result.arguments, map.place());
  return result;
}

void check_number(const Placed<std::string>& value, const char* name) {
  const auto number = parse_integer(value.value);
  if (number && *number >= 1 && *number <= 10'000'000) return;
  fail_at(value.place, fmt::format("'{}' must be a whole number from 1 to 10000000, not '{}'", name,
                                   printable(value.value)));
}

const char* const command_keys[] = {"when",     "folder", "dialect", "pattern",   "scope",
                                    "workload", "size",   "unit",    "precision", "device",
                                    "batch",    "gpus",   "nodes",   "marker"};

/// Keys that mean nothing without a command: leaving them unread would be a silent mistake.
void refuse_command_keys(YamlMap& settings) {
  for (const char* key : command_keys) {
    const YAML::Node node = settings.take(key);
    if (!node.IsDefined()) continue;
    fail_at(settings.place_of(node),
            fmt::format("'{}' is for programs that are measured from what they print; write their "
                        "command: [PROGRAM, ARGUMENT, ...]",
                        key));
  }
}

}  // namespace

const Placed<std::string>* ForeignCommand::fact(const std::string& name) const {
  const auto found = facts.find(name);
  return found == facts.end() ? nullptr : &found->second;
}

std::optional<ForeignCommand> parse_foreign_command(YamlMap& settings,
                                                    const std::vector<std::string>& texts) {
  const YAML::Node node = settings.take("command");
  if (!node.IsDefined()) {
    refuse_command_keys(settings);
    return std::nullopt;
  }
  ForeignCommand foreign;
  foreign.command = settings.words("command");
  const Place place = settings.place_of(node);
  if (foreign.command.empty() || foreign.command.front().empty())
    fail_at(place, "the command is empty; write command: [PROGRAM, ARGUMENT, ...]");
  check_words(foreign.command, place);
  check_words(texts, place);
  for (auto& entry : settings.maps("when")) foreign.cases.push_back(parse_case(std::move(entry)));
  if (const auto folder = settings.text("folder")) foreign.folder = folder->value;
  if (const auto dialect = settings.text("dialect")) foreign.dialect = *dialect;
  if (const auto pattern = settings.text("pattern")) foreign.pattern = *pattern;
  if (const auto scope = settings.text("scope")) foreign.scope = *scope;
  for (const char* name : {"workload", "size", "unit", "precision", "device", "marker"}) {
    if (const auto value = settings.text(name)) foreign.facts[name] = *value;
  }
  for (const char* name : {"batch", "gpus", "nodes"}) {
    const auto value = settings.text(name);
    if (!value) continue;
    check_number(*value, name);
    foreign.facts[name] = *value;
  }
  return foreign;
}

std::string fill_in(const std::string& text, const CommandUse& use) {
  std::string result;
  walk(
      text, [&](const std::string& piece) { result += piece; },
      [&](const std::string& word) { result += fillers().at(word).value(use); });
  return result;
}

std::vector<std::string> words_of_command(const ForeignCommand& foreign,
                                          const std::vector<std::string>& arguments,
                                          const CommandUse& use) {
  std::vector<std::string> words = foreign.command;
  for (const auto& entry : foreign.cases)
    if (!entry.command.empty() && matches(entry.values, use.cell)) words = entry.command;
  words.insert(words.end(), arguments.begin(), arguments.end());
  for (const auto& entry : foreign.cases)
    if (matches(entry.values, use.cell))
      words.insert(words.end(), entry.arguments.begin(), entry.arguments.end());
  for (auto& word : words) word = fill_in(word, use);
  return words;
}

std::set<std::string> dimensions_in(const ForeignCommand& foreign,
                                    const std::vector<std::string>& texts) {
  std::set<std::string> dimensions;
  const auto look = [&](const std::vector<std::string>& words) {
    for (const auto& text : words) {
      walk(
          text, [](const std::string&) {},
          [&](const std::string& word) {
            const auto& named = fillers().at(word).dimensions;
            dimensions.insert(named.begin(), named.end());
          });
    }
  };
  look(foreign.command);
  look(texts);
  for (const auto& entry : foreign.cases) {
    look(entry.command);
    look(entry.arguments);
    for (const auto& [dimension, values] : entry.values) dimensions.insert(dimension);
  }
  return dimensions;
}

bool matches(const DimensionValues& values, const Cell& cell) {
  return std::all_of(values.begin(), values.end(), [&](const auto& named) {
    const auto& [name, wanted] = named;
    const std::string value = dimension(name).read(cell);
    const bool bare = name == "framework";  // without its mode
    return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& pattern) {
      return glob_match(pattern, value) || (bare && pattern == cell.framework_name());
    });
  });
}

}  // namespace trainmark
