#include "suite/suite.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "suite/dimensions.h"

namespace trainmark {

namespace {

constexpr std::size_t largest_suite_file = 1 << 20;  // bytes; real ones have a few thousand

/// `nodes: [1, 2, 4]` and `per_node: 8` are another way to write `scale: [1n8g, 2n8g, 4n8g]`.
std::vector<Placed<std::string>> scales_of(YamlMap& map) {
  auto nodes = map.list("nodes");
  auto per_node = map.list("per_node");
  if (nodes.empty() && per_node.empty()) return {};
  if (nodes.empty()) nodes.push_back({"1", per_node.front().place});
  if (per_node.empty()) per_node.push_back({"1", nodes.front().place});
  for (const auto& [values, name] :
       {std::pair(&nodes, "nodes"), std::pair(&per_node, "per_node")}) {
    for (const auto& value : *values) {
      const auto number = parse_integer(value.value);
      if (!number || *number < 1 || *number > 99999) {
        fail_at(value.place, fmt::format("'{}' must be a whole number from 1 to 99999, not '{}'",
                                         name, printable(value.value)));
      }
    }
  }
  std::vector<Placed<std::string>> scales;
  for (const auto& many : nodes) {
    for (const auto& each : per_node) {
      scales.push_back({fmt::format("{}n{}g", many.value, each.value), many.place});
    }
  }
  return scales;
}

Matrix parse_matrix(YamlMap map) {
  Matrix matrix;
  matrix.place = map.place();
  for (const Dimension& known : dimensions()) {
    auto values = map.list(known.name);
    if (!values.empty()) matrix.values[known.name] = std::move(values);
  }
  auto scales = scales_of(map);
  if (!scales.empty() && matrix.values.contains("scale")) {
    fail_at(scales.front().place,
            "'scale' and 'nodes' with 'per_node' say the same; write one of them");
  }
  if (!scales.empty()) matrix.values["scale"] = std::move(scales);
  map.finish();
  return matrix;
}

Exclusion parse_exclusion(YamlMap map) {
  Exclusion exclusion;
  exclusion.place = map.place();
  exclusion.values = take_dimensions(map);
  map.finish();
  if (exclusion.values.empty()) {
    fail_at(exclusion.place,
            "an empty exclusion would exclude every cell; name what to exclude, "
            "such as {workload: bert, precision: fp16}");
  }
  return exclusion;
}

void parse_measure(YamlMap map, Suite& suite) {
  if (const auto rule = map.text("rule")) suite.rule = *rule;
  // The rest belongs to the rule, which is asked later whether it knows these names.
  for (const auto& key : map.rest()) {
    if (const auto value = map.number(key.value)) {
      suite.rule_values[key.value] = {value->value, key.place};
    }
  }
}

/// The name becomes part of folder names.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.size() <= 64 && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
         });
}

/// It becomes a folder's name: what must not be shown on a terminal should not stand there either.
std::string name_of_file(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  std::string name = printable(stem);
  if (name != stem) std::replace(name.begin(), name.end(), '?', '-');
  return name;
}

/// The variable by which frameworks/common/start takes another interpreter.
std::string python_variable(std::string framework) {
  for (char& letter : framework) letter = static_cast<char>(std::toupper(letter));
  return "TRAINMARK_" + framework + "_PYTHON";
}

void check_settings(const FrameworkSettings& settings) {
  if (!settings.foreign) return;
  if (!settings.program.empty())
    fail_at(settings.place,
            "'program' (it keeps docs/protocol.md) and 'command' (measured from what it prints) "
            "exclude each other; write one of them");
  if (settings.python)
    fail_at(settings.python->place,
            "'python' is for Trainmark's own frameworks; a command begins with its interpreter");
  const auto* workload = settings.foreign->fact("workload");
  if (workload != nullptr && !is_plain_name(workload->value))
    fail_at(workload->place, fmt::format("the workload '{}' must be letters, digits, '-', '_' and "
                                         "'.' (64 at most): it becomes part of a folder's name",
                                         printable(workload->value)));
}

void check_variable_name(const Placed<std::string>& name) {
  const bool good =
      !name.value.empty() && std::none_of(name.value.begin(), name.value.end(), [](char letter) {
        return letter == '=' || static_cast<unsigned char>(letter) <= ' ' || letter == 0x7F;
      });
  if (good) return;
  fail_at(name.place, fmt::format("'{}' is not a variable name; write NAME: VALUE, without '=' "
                                  "or spaces in the name",
                                  printable(name.value)));
}

FrameworkSettings parse_framework(YamlMap map, const Placed<std::string>& name) {
  FrameworkSettings settings;
  settings.place = map.place();
  settings.program = map.words("program");
  settings.arguments = map.words("arguments");
  if (auto environment = map.map("environment")) {
    for (const auto& key : environment->rest()) {
      check_variable_name(key);
      if (const auto value = environment->text(key.value)) {
        settings.environment[key.value] = value->value;
      }
    }
  }
  if ((settings.python = map.text("python")))
    settings.environment[python_variable(name.value)] = settings.python->value;
  settings.container = parse_container(map);
  settings.foreign = parse_foreign_command(map, settings.texts());
  map.finish();
  check_settings(settings);
  if (settings.foreign && !is_plain_name(name.value))
    fail_at(name.place, fmt::format("the name '{}' of a command must be letters, digits, '-', '_' "
                                    "and '.' (64 at most)",
                                    printable(name.value)));
  return settings;
}

}  // namespace

std::vector<std::string> FrameworkSettings::texts() const {
  std::vector<std::string> texts = arguments;
  for (const auto& [name, value] : environment) texts.push_back(value);
  return texts;
}

Suite parse_suite(const std::string& text, const std::string& file) {
  Suite suite;
  suite.text = text;
  suite.file = file;
  suite.name = name_of_file(file);

  YamlMap map = read_yaml(text, file, "the suite");
  if (const auto name = map.text("name")) {
    if (!is_plain_name(name->value)) {
      fail_at(name->place, fmt::format("the name '{}' must be letters, digits, '-', '_' and '.' "
                                       "(64 at most): it becomes a folder's name",
                                       printable(name->value)));
    }
    suite.name = name->value;
  }
  if (const auto title = map.text("title")) suite.title = title->value;

  for (auto& block : map.maps("matrix")) suite.matrices.push_back(parse_matrix(std::move(block)));
  for (auto& entry : map.maps("exclude")) {
    suite.exclusions.push_back(parse_exclusion(std::move(entry)));
  }
  if (auto measure = map.map("measure")) parse_measure(std::move(*measure), suite);
  if (const auto rounds = map.integer("rounds", 1, 1000)) {
    suite.rounds = static_cast<int>(rounds->value);
  }
  if (const auto budget = map.text("budget")) {
    suite.budget = parse_seconds(budget->value);
    if (!suite.budget) {
      fail_at(budget->place, fmt::format("'budget' must be a time such as 90s, 10m or 2h, not '{}'",
                                         printable(budget->value)));
    }
  }
  if (const auto limit = map.text("time_limit")) {
    const auto seconds = parse_seconds(limit->value);
    if (!seconds || *seconds > 30 * 86400) {
      fail_at(limit->place,
              fmt::format("'time_limit' must be a time such as 90s, 10m or 2h, not '{}'",
                          printable(limit->value)));
    }
    suite.time_limit = *seconds;
  }
  if (const auto seed = map.integer("seed", 0, INT64_MAX)) {
    suite.seed = static_cast<std::uint64_t>(seed->value);
  }
  if (const auto launcher = map.text("launcher")) suite.launcher = *launcher;
  suite.hosts = parse_hosts(map.list("hosts"));
  suite.launcher_arguments = map.words("launcher_arguments");
  suite.job_arguments = map.words("job_arguments");
  suite.dialects = map.list("dialects");
  if (auto frameworks = map.map("frameworks")) {
    for (const auto& key : frameworks->rest()) {
      if (auto settings = frameworks->map(key.value)) {
        suite.frameworks[key.value] = parse_framework(std::move(*settings), key);
      }
    }
  }
  map.finish();
  if (suite.matrices.empty()) {
    fail_at(map.place(),
            "the suite has no 'matrix'; write at least "
            "matrix: {workload: resnet50, framework: libtorch}");
  }
  return suite;
}

Suite load_suite(const std::string& path_or_name, const std::filesystem::path& home) {
  std::filesystem::path path = path_or_name;
  std::error_code error;
  const bool is_path = path_or_name.find('/') != std::string::npos || path.extension() == ".yaml" ||
                       path.extension() == ".yml";
  if (!is_path) {
    path = home / "suites" / (path_or_name + ".yaml");
    if (!std::filesystem::exists(path, error)) {
      std::vector<std::string> known;
      for (const auto& [name, title] : list_suites(home)) known.push_back(name);
      throw UserError(fmt::format("there is no suite '{}'; {}, or give the path of a suite file",
                                  printable(path_or_name), suggest(path_or_name, known)));
    }
  }
  return parse_suite(read_file(path, largest_suite_file), path.string());
}

std::vector<std::pair<std::string, std::string>> list_suites(const std::filesystem::path& home) {
  std::vector<std::pair<std::string, std::string>> suites;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(home / "suites", error)) {
    if (entry.path().extension() != ".yaml") continue;
    try {
      const Suite suite = load_suite(entry.path().string(), home);
      suites.emplace_back(entry.path().stem().string(), suite.title);
    } catch (const UserError& fault) {
      suites.emplace_back(entry.path().stem().string(), std::string("not valid: ") + fault.what());
    }
  }
  std::sort(suites.begin(), suites.end());
  return suites;
}

void override_dimension(Suite& suite, const std::string& dimension,
                        const std::vector<std::string>& values) {
  std::vector<Placed<std::string>> placed;
  for (const auto& value : values) placed.push_back({value, {"--" + dimension, 0}});
  for (auto& matrix : suite.matrices) matrix.values[dimension] = placed;
  suite.has_overrides = true;
}

}  // namespace trainmark
