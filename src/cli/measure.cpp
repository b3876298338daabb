#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/text.h"
#include "cli/carry_out.h"
#include "cli/command.h"
#include "cli/output_path.h"
#include "logs/live_log.h"
#include "suite/suite.h"

namespace trainmark {

namespace {

struct MeasureOptions {
  CarryOut how;
  std::vector<std::string> command;
  std::string name = "command";
  std::map<std::string, std::string> facts;  // by their names in suites: batch, gpus, unit, …
  std::string dialect, pattern, scope, image, engine;
  std::optional<int> rounds;
  std::optional<double> max_seconds, interval;
  std::string time_limit;
};

/// The last part of the program's name, or of the script that an interpreter gets: what people call
/// it.
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

/// Braces have a meaning in suites, and none here.
std::string literal(const std::string& word) {
  std::string result;
  for (const char letter : word) {
    result += letter;
    if (letter == '{' || letter == '}') result += letter;
  }
  return result;
}

/// The suite that would do the same: it is kept with the results, and `trainmark run` repeats it.
std::string suite_text(const MeasureOptions& options) {
  YAML::Emitter out;
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) out << YAML::Key << key << YAML::Value << value;
  };
  out << YAML::BeginMap;
  put("name", options.name);
  out << YAML::Key << "matrix" << YAML::Value << YAML::Flow << YAML::BeginMap << YAML::Key
      << "framework" << YAML::Value << options.name << YAML::EndMap;
  if (options.max_seconds || options.interval) {
    out << YAML::Key << "measure" << YAML::Value << YAML::Flow << YAML::BeginMap;
    if (options.interval) out << YAML::Key << "interval" << YAML::Value << *options.interval;
    if (options.max_seconds)
      out << YAML::Key << "max_seconds" << YAML::Value << *options.max_seconds;
    out << YAML::EndMap;
  }
  if (options.rounds) put("rounds", std::to_string(*options.rounds));
  put("time_limit", options.time_limit);
  out << YAML::Key << "frameworks" << YAML::Value << YAML::BeginMap << YAML::Key << options.name
      << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "command" << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const auto& word : options.command) out << YAML::DoubleQuoted << literal(word);
  out << YAML::EndSeq;
  put("dialect", options.dialect);
  put("pattern", options.pattern);
  put("scope", options.scope);
  for (const auto& [key, value] : options.facts) put(key.c_str(), value);
  if (!options.image.empty()) {
    out << YAML::Key << "container" << YAML::Value << YAML::Flow << YAML::BeginMap;
    put("image", options.image);
    put("engine", options.engine);
    out << YAML::EndMap;
  }
  out << YAML::EndMap << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

void check(const MeasureOptions& options) {
  if (options.command.empty() || options.command.front().empty())
    throw UserError(
        "no command to measure; write it behind two dashes: trainmark measure -- python3 train.py");
  try {
    LiveOptions live{options.dialect, options.pattern};
    if (!options.scope.empty()) live.scope = options.scope;
    check_live_options(live);
  } catch (const UserError& error) {
    throw UserError(fmt::format(
        "{}{}", options.pattern.empty() && !options.dialect.empty() ? "--dialect: " : "",
        error.what()));
  }
  if (!options.engine.empty() && options.image.empty())
    throw UserError("--engine says how a container is started; name its image with --container");
}

int measure(MeasureOptions options) {
  check(options);
  options.name = short_name(options.command);
  Suite suite = parse_suite(suite_text(options), "trainmark measure");
  // What is said of the program is said by options, and reports should name these.
  for (auto& [name, fact] : suite.frameworks.at(options.name).foreign->facts)
    fact.place = {"--" + name, 0};
  return carry_out(suite, options.how);
}

const Registration<Subcommand> measure_command(
    "measure",
    {"measure any training program from the lines that it prints",
     [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<MeasureOptions>();
       const auto positive = whole_from(1, 10'000'000);
       const auto fact = [&](const char* name, const std::string& help) {
         return app.add_option(std::string("--") + name, options->facts[name], help);
       };
       app.add_option("command", options->command,
                      "the program and its arguments, behind two dashes");
       app.add_option("--dialect", options->dialect,
                      "how it prints its speed (default: found from its first lines; see "
                      "`trainmark list dialects`)");
       app.add_option("--pattern", options->pattern,
                      "instead of a dialect: an expression with groups named step, epoch, rate, "
                      "time, items, loss or rank, such as 'it (?P<step>\\d+) .* (?P<rate>[\\d.]+) "
                      "img/s'. Other units than items per second and seconds of a step are named: "
                      "(?P<time:ms>…), (?P<rate:it/s>…)");
       app.add_option("--scope", options->scope,
                      "whose figures the pattern reads: rank, node or job (default: job)");
       fact("batch", "of one device, where the program does not print it")->check(positive);
       fact("gpus", "of the whole job, where the program does not print it")->check(positive);
       fact("nodes", "where the program does not print it")->check(positive);
       fact("unit", "what is counted, such as images");
       fact("precision", "where the program does not print it: fp32, tf32, amp-fp16, …");
       fact("device", "cpu or cuda");
       fact("workload", "what it trains, for the tables (default: the program's name)");
       app.add_option("--rounds", options->rounds, "how often it is started (default: 3)")
           ->check(whole_from(1, 1000));
       app.add_option("--interval", options->interval,
                      "stop when the 95 % interval is narrower than this share (default: 0.005)")
           ->check(number_from(0.0001, 0.5));
       app.add_option("--max-seconds", options->max_seconds,
                      "of a round at most, without the start (default: 120)")
           ->check(number_from(0.001, 604800));
       app.add_option("--time-limit", options->time_limit,
                      "of a round with all that belongs to it: 90s, 10m, 2h (default: 10m)");
       app.add_option("--container", options->image, "start it in a container of this image");
       app.add_option("--engine", options->engine,
                      "docker, podman, apptainer or singularity (default: docker)");
       add_path_option(app, "--out", options->how.out,
                       "the folder for journal, logs and report (default: results/NAME-TIME)");
       app.add_flag("--dry-run", options->how.dry_run, "show the exact command, and start nothing");
       app.add_flag("--quiet", options->how.quiet, "no progress");
       add_details(app, options->how);
       add_keep_secrets(app, options->how);
       app.footer(
           "Example: trainmark measure --batch 256 --gpus 8 -- python3 tools/train.py -c r50.yaml\n"
           "The program is stopped (Ctrl-C, then SIGTERM, then SIGKILL) once enough is known.\n"
           "Exit codes: 0 all well; 1 a round failed; 2 bad input; 130 Ctrl-C.");
       return [options] { return measure(*options); };
     }});

}  // namespace

}  // namespace trainmark
