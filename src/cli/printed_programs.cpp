#include "cli/printed_programs.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/text.h"
#include "logs/described/described.h"
#include "logs/live_log.h"

namespace trainmark {

namespace {

/// Braces have a meaning in suites, and none here.
std::string literal(const std::string& word) {
  std::string result;
  for (const char letter : word) {
    result += letter;
    if (letter == '{' || letter == '}') result += letter;
  }
  return result;
}

class SuiteText {
 public:
  std::string write(const std::string& name, const std::vector<PrintedProgram>& programs,
                    const PrintedOptions& options) {
    out_ << YAML::BeginMap;
    put("name", name);
    write_matrix(programs);
    write_rule(options);
    if (options.rounds) put("rounds", std::to_string(*options.rounds));
    put("time_limit", options.time_limit);
    out_ << YAML::Key << "frameworks" << YAML::Value << YAML::BeginMap;
    for (const PrintedProgram& program : programs) write_program(program, options);
    out_ << YAML::EndMap << YAML::EndMap;
    return std::string(out_.c_str()) + "\n";
  }

 private:
  void put(const char* key, const std::string& value) {
    if (!value.empty()) out_ << YAML::Key << key << YAML::Value << value;
  }

  void write_matrix(const std::vector<PrintedProgram>& programs) {
    out_ << YAML::Key << "matrix" << YAML::Value << YAML::Flow << YAML::BeginMap << YAML::Key
         << "framework" << YAML::Value;
    if (programs.size() == 1) {
      out_ << programs.front().name;
    } else {
      out_ << YAML::BeginSeq;
      for (const PrintedProgram& program : programs) out_ << program.name;
      out_ << YAML::EndSeq;
    }
    out_ << YAML::EndMap;
  }

  void write_rule(const PrintedOptions& options) {
    if (options.rule.empty() && options.values.empty()) return;
    out_ << YAML::Key << "measure" << YAML::Value << YAML::Flow << YAML::BeginMap;
    put("rule", options.rule);
    for (const auto& [key, value] : options.values)
      out_ << YAML::Key << key << YAML::Value << value;
    out_ << YAML::EndMap;
  }

  void write_program(const PrintedProgram& program, const PrintedOptions& options) {
    out_ << YAML::Key << program.name << YAML::Value << YAML::BeginMap;
    out_ << YAML::Key << "command" << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const auto& word : program.command) out_ << YAML::DoubleQuoted << literal(word);
    out_ << YAML::EndSeq;
    put("folder", program.folder);
    put("dialect", resolved_dialect(options.dialect));
    put("pattern", options.pattern);
    put("scope", options.scope);
    for (const auto& [key, value] : options.facts) put(key.c_str(), value);
    if (!options.image.empty()) {
      out_ << YAML::Key << "container" << YAML::Value << YAML::Flow << YAML::BeginMap;
      put("image", options.image);
      put("engine", options.engine);
      out_ << YAML::EndMap;
    }
    out_ << YAML::EndMap;
  }

  YAML::Emitter out_;
};

}  // namespace

void add_pattern_options(CLI::App& app, std::string& pattern, std::string& scope) {
  app.add_option("--pattern", pattern,
                 "instead of a dialect: a regular expression with groups named step, epoch, rate, "
                 "time, items, loss or rank, such as 'it (?P<step>\\d+) .* (?P<rate>[\\d.]+) "
                 "img/s'. Units other than items per second and seconds per step are named: "
                 "(?P<time:ms>…), (?P<rate:it/s>…)");
  app.add_option("--scope", scope,
                 "whose figures the pattern reads: rank, node or job (default: job)");
}

void add_reading_options(CLI::App& app, PrintedOptions& options) {
  const auto positive = whole_from(1, 10'000'000);
  const auto fact = [&](const char* name, const std::string& help) {
    return app.add_option(std::string("--") + name, options.facts[name], help);
  };
  app.add_option("--dialect", options.dialect,
                 "how it prints its speed (default: detected from its first lines; see "
                 "`trainmark list dialects`; generic: learned from its lines)");
  add_pattern_options(app, options.pattern, options.scope);
  fact("marker",
       "where no line prints a speed: a text that appears in one line per step; the arrival times "
       "of these lines are the step times");
  fact("batch", "batch size of one device, if the program does not print it")->check(positive);
  fact("gpus", "number of GPUs of the whole job, if the program does not print it")
      ->check(positive);
  fact("nodes", "number of nodes, if the program does not print it")->check(positive);
  fact("unit", "what is counted, such as images");
  fact("precision", "if the program does not print it: fp32, tf32, amp-fp16, …");
  fact("device", "cpu or cuda");
  fact("workload", "what it trains, for the tables (default: the program's name)");
}

void check_reading_options(const PrintedOptions& options) {
  add_own_dialects();
  try {
    LiveOptions live{resolved_dialect(options.dialect), options.pattern};
    if (!options.scope.empty()) live.scope = options.scope;
    if (const auto marker = options.facts.find("marker"); marker != options.facts.end())
      live.marker = marker->second;
    check_live_options(live);
  } catch (const UserError& error) {
    throw UserError(fmt::format(
        "{}{}", options.pattern.empty() && !options.dialect.empty() ? "--dialect: " : "",
        error.what()));
  }
}

Suite suite_of_programs(const std::string& name, const std::vector<PrintedProgram>& programs,
                        const PrintedOptions& options) {
  Suite suite = parse_suite(SuiteText().write(name, programs, options), "trainmark " + name);
  // What is said of the programs is said by options, and reports should name these.
  for (auto& [framework, settings] : suite.frameworks)
    for (auto& [fact, value] : settings.foreign->facts) value.place = {"--" + fact, 0};
  return suite;
}

std::string short_name(const std::vector<std::string>& command) {
  std::string name = command.front();
  for (const auto& word : command)
    if (word.ends_with(".py") || word.ends_with(".sh")) name = word;
  name = name.substr(name.rfind('/') + 1);
  name = name.substr(0, name.rfind('.'));
  std::string plain;
  for (const char letter : name)
    plain += std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' ? letter : '-';
  return plain.empty() || plain.front() == '-' ? "command" : plain.substr(0, 64);
}

}  // namespace trainmark
