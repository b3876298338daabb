#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/text.h"
#include "cli/carry_out.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/output_path.h"
#include "cli/printed_programs.h"
#include "cli/show_report.h"
#include "launch/describe.h"

namespace trainmark {

namespace {

/// Stands between programs that are to be compared.
constexpr const char* versus = "--versus";

struct MeasureOptions {
  CarryOut how;
  PrintedOptions printed;
  std::vector<std::string> words;  // the commands, with --versus between them
  std::string names;               // a,b
  std::optional<double> max_seconds, interval, turn_seconds;
};

std::vector<std::vector<std::string>> commands_of(const std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> commands(1);
  for (const std::string& word : words) {
    if (word == versus) {
      commands.emplace_back();
    } else {
      commands.back().push_back(word);
    }
  }
  for (const auto& command : commands) {
    if (!command.empty() && !command.front().empty()) continue;
    throw UserError(commands.size() == 1
                        ? "no command to measure; write it after two dashes: trainmark measure -- "
                          "python3 train.py"
                        : "--versus stands between two commands, and one of them is missing; write "
                          "trainmark measure -- ./old --versus ./new");
  }
  return commands;
}

/// What people call the programs, with a number where that is not enough.
std::vector<std::string> usual_names(const std::vector<std::vector<std::string>>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) {
    const std::string plain = short_name(command);
    std::string name = plain;
    for (int number = 2; std::find(names.begin(), names.end(), name) != names.end(); ++number)
      name = fmt::format("{}-{}", plain, number);
    names.push_back(name);
  }
  return names;
}

/// Those of --names.
std::vector<std::string> given_names(const std::string& text, std::size_t commands) {
  std::vector<std::string> names = split(text, ',');
  if (names.size() != commands) {
    throw UserError(fmt::format(
        "--names has {}, and there {}; write one for each", counted(names.size(), "name"),
        commands == 1 ? "is 1 command" : fmt::format("are {} commands", commands)));
  }
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name)
      throw UserError(
          fmt::format("--names: '{}' appears twice; write two different names", printable(*name)));
  }
  return names;
}

std::vector<PrintedProgram> programs_of(const MeasureOptions& options) {
  const auto commands = commands_of(options.words);
  const auto names =
      options.names.empty() ? usual_names(commands) : given_names(options.names, commands.size());
  std::vector<PrintedProgram> programs;
  for (std::size_t i = 0; i < commands.size(); ++i) programs.push_back({names[i], commands[i]});
  return programs;
}

/// Better said at once than by a failed run.
void check_program(const std::string& name) {
  if (!find_program(name).empty()) return;
  if (name.find('/') == std::string::npos)
    throw UserError(
        fmt::format("there is no program '{}' in PATH; check its name, or write its "
                    "path, such as ./{}",
                    printable(name), printable(name)));
  std::error_code error;
  const bool there = std::filesystem::exists(name, error);
  throw UserError(fmt::format("{} {}", printable(name),
                              there ? "is not a program that can be started; start it with its "
                                      "interpreter, such as python3 " +
                                          printable(name) + ", or make it executable"
                                    : "does not exist; check the path"));
}

int measure(MeasureOptions options) {
  const std::vector<PrintedProgram> programs = programs_of(options);
  PrintedOptions& printed = options.printed;
  check_reading_options(printed);
  if (printed.image.empty())
    for (const PrintedProgram& program : programs) check_program(program.command.front());
  if (!printed.engine.empty() && printed.image.empty())
    throw UserError("--engine says how a container is started; name its image with --container");
  if (options.interval) printed.values["interval"] = *options.interval;
  if (options.max_seconds) printed.values["max_seconds"] = *options.max_seconds;
  if (programs.size() == 1 && options.turn_seconds)
    throw UserError("--turn-seconds is for several programs; name another after --versus");
  if (programs.size() > 1) {
    printed.rule = "turns";
    if (options.turn_seconds) printed.values["turn_seconds"] = *options.turn_seconds;
    // What is compared is the same work.
    std::string& workload = printed.facts["workload"];
    if (workload.empty()) workload = programs.front().name;
  }
  CarryOut how = options.how;
  how.commands = true;  // of --dry-run: there is nothing else to show
  return carry_out(suite_of_programs(programs.front().name, programs, printed), how);
}

const Registration<Subcommand> measure_command(
    "measure",
    {"measure any training program from the lines that it prints, or compare several",
     [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<MeasureOptions>();
       app.add_option("command", options->words,
                      "the program and its arguments, after two dashes; --versus between several");
       add_reading_options(app, options->printed);
       app.add_option("--names", options->names,
                      "names of the programs in tables (default: their own; several: a,b)");
       app.add_option("--rounds", options->printed.rounds,
                      "number of starts (default: 3; if several take turns: 1)")
           ->check(whole_from(1, 1000));
       app.add_option("--interval", options->interval,
                      "stop when the 95 % interval is narrower than this share (default: 0.005; of "
                      "the ratios of several: 0.0075)")
           ->check(number_from(0.0001, 0.5));
       app.add_option("--max-seconds", options->max_seconds,
                      "maximum of a round, without the start (default: 120)")
           ->check(number_from(0.001, 604800));
       app.add_option("--turn-seconds", options->turn_seconds,
                      "minimum of one turn of several programs (default: 1)")
           ->check(number_from(0.01, 3600));
       app.add_option("--time-limit", options->printed.time_limit,
                      "limit of a whole round: 90s, 10m, 2h (default: 10m)");
       app.add_option("--container", options->printed.image,
                      "start it in a container of this image");
       app.add_option("--engine", options->printed.engine,
                      "docker, podman, apptainer or singularity (default: docker)");
       add_path_option(app, "--out", options->how.out,
                       "the folder for journal, logs and report (default: results/NAME-TIME)");
       app.add_flag("--dry-run", options->how.dry_run, "show the exact command; start nothing");
       app.add_flag("--quiet", options->how.quiet, "no progress");
       add_details(app, options->how);
       add_price_option(app, options->how.price);
       add_keep_secrets(app, options->how);
       add_examples(
           app,
           {{"trainmark measure -- python3 train.py",
             "start it three times, and stop it each time once enough is known"},
            {"trainmark measure --batch 256 --gpus 8 -- python3 tools/train.py -c r50.yaml",
             "say what the program does not print"},
            {"trainmark measure --batch 64 -- python3 train.py --versus python3 train.py --compile",
             "compare two ways to start it, by turns"}},
           "Several programs run together and take turns; their ratio is measured.\n"
           "A program is stopped (Ctrl-C, then SIGTERM, then SIGKILL) once enough is known.\n"
           "Exit codes: 0 success; 1 a round failed; 2 bad input; 130 Ctrl-C.");
       return [options] { return measure(*options); };
     }});

}  // namespace

}  // namespace trainmark
