#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/option_checks.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/carry_out.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/output_path.h"
#include "cli/show_report.h"
#include "protocol/arguments.h"
#include "suite/suite.h"

namespace trainmark {

namespace {

struct RunOptions {
  std::string suite = "quick";
  CarryOut how;
  std::map<std::string, std::vector<std::string>> dimensions;
  std::string rule, launcher, time_limit, hostfile;
  std::vector<std::string> hosts;
  std::vector<std::string> set;
  std::optional<int> rounds;
  std::optional<std::uint64_t> seed;
};

/// "interval=0.2%" as a value of the rule.
void override_rule_value(Suite& suite, const std::string& text) {
  const auto equals = text.find('=');
  const auto value =
      equals == std::string::npos ? std::nullopt : parse_real(text.substr(equals + 1));
  if (!value) {
    throw UserError(
        fmt::format("--set {}: write NAME=NUMBER, such as --set interval=0.2%", printable(text)));
  }
  suite.rule_values[text.substr(0, equals)] = {*value, {"--set", 0}};
}

void override_hosts(Suite& suite, const RunOptions& options, std::vector<std::string>& said) {
  if (!options.hosts.empty() && !options.hostfile.empty())
    throw UserError("--hosts and --hostfile exclude each other; give one of them");
  if (!options.hosts.empty()) {
    std::vector<Placed<std::string>> words;
    for (const auto& word : options.hosts) words.push_back({word, {"--hosts", 0}});
    suite.hosts = parse_hosts(words);
    said.push_back("--hosts " + join(options.hosts, ","));
  }
  if (!options.hostfile.empty()) {
    suite.hosts = parse_hostfile(read_file(options.hostfile, 1 << 20), options.hostfile);
    said.push_back("--hostfile " + options.hostfile);
  }
}

/// Applies what the command line changes, and says so in words that are kept with the results.
std::vector<std::string> apply_overrides(Suite& suite, const RunOptions& options) {
  std::vector<std::string> said;
  for (const auto& [dimension, values] : options.dimensions) {
    if (values.empty()) continue;
    override_dimension(suite, dimension, values);
    said.push_back(fmt::format("{} {}", shape_option(dimension), join(values, ",")));
  }
  if (!options.rule.empty()) {
    suite.rule = {options.rule, {"--rule", 0}};
    suite.rule_values.clear();  // they belong to the suite's own rule
    said.push_back("--rule " + options.rule);
  }
  for (const auto& text : options.set) {
    override_rule_value(suite, text);
    said.push_back("--set " + text);
  }
  if (!options.launcher.empty()) {
    suite.launcher = {options.launcher, {"--launcher", 0}};
    said.push_back("--launcher " + options.launcher);
  }
  override_hosts(suite, options, said);
  if (!options.time_limit.empty()) {
    const auto seconds = parse_seconds(options.time_limit);
    if (!seconds) {
      throw UserError(fmt::format("--time-limit {}: write a time such as 90s, 10m or 2h",
                                  printable(options.time_limit)));
    }
    suite.time_limit = *seconds;
    said.push_back("--time-limit " + options.time_limit);
  }
  if (options.seed) {
    suite.seed = *options.seed;
    said.push_back(fmt::format("--seed {}", *options.seed));
  }
  // More rounds of the same are welcome in the same journal, so this is not held against it.
  if (options.rounds) suite.rounds = *options.rounds;
  if (options.rounds) suite.budget.reset();  // who names a number means it
  return said;
}

/// The words that ask for the same suite in the same way, for the job that carries it out.
std::vector<std::string> words_again(const RunOptions& options) {
  std::vector<std::string> words = {"run", options.suite};
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  for (const auto& [dimension, values] : options.dimensions)
    add(shape_option(dimension), join(values, ","));
  add("--rule", options.rule);
  for (const auto& text : options.set) add("--set", text);
  add("--launcher", options.launcher);
  add("--hosts", join(options.hosts, ","));
  add("--hostfile", options.hostfile);
  add("--time-limit", options.time_limit);
  if (options.seed) add("--seed", std::to_string(*options.seed));
  if (options.rounds) add("--rounds", std::to_string(*options.rounds));
  for (const auto& pattern : options.how.only) add("--only", pattern);
  add("--price-per-hour", options.how.price);
  if (options.how.keep_secrets) words.push_back("--keep-secrets");
  return words;
}

int run_suite(const RunOptions& options) {
  Suite suite = load_suite(options.suite, home());
  CarryOut how = options.how;
  how.overrides = apply_overrides(suite, options);
  how.again = words_again(options);
  return carry_out(suite, how);
}

const Registration<Subcommand> run_command(
    "run",
    {"measure a suite: a matrix of workloads, frameworks, precisions, batches and scales",
     [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<RunOptions>();
       app.add_option("suite", options->suite,
                      "a suite's name or the path of its file (default: quick)");
       app.add_option("--only", options->how.only,
                      "only cells whose key contains this text; with * and ? it must match the "
                      "whole key (see --dry-run for the keys)");
       add_path_option(app, "--out", options->how.out,
                       "the folder for journal, logs and report: new, empty or with results "
                       "(default: results/SUITE-TIME)");
       CLI::Option* resume = app.add_flag("--resume", options->how.resume,
                                          "continue an earlier run (in --out, or the newest)");
       app.add_flag("--retry-failed", options->how.retry_failed,
                    "with --resume: repeat failed runs")
           ->needs(resume);
       app.add_flag(
              "--more-cells", options->how.more_cells,
              "with --resume: also cells that were not planned when the suite was started, such "
              "as those of a framework installed since then")
           ->needs(resume);
       CLI::Option* dry_run =
           app.add_flag("--dry-run", options->how.dry_run,
                        "show the cells and about how long they take; measure nothing");
       app.add_flag("--commands", options->how.commands,
                    "with --dry-run: the exact command of each cell")
           ->needs(dry_run);
       app.add_flag("--quiet", options->how.quiet, "no progress");
       add_details(app, options->how);
       add_price_option(app, options->how.price);
       add_keep_secrets(app, options->how);
       for (const Dimension& known : dimensions()) {
         app.add_option(shape_option(known.name), options->dimensions[known.name],
                        fmt::format("overrides the suite's {} (several: a,b)", known.several))
             ->delimiter(',');
       }
       app.add_option("--rule", options->rule, "the stopping rule (see `trainmark list rules`)");
       app.add_option("--set", options->set,
                      "a value of the rule: NAME=NUMBER, such as interval=0.2%");
       app.add_option("--rounds", options->rounds, "runs of each cell")->check(whole_from(1, 1000));
       app.add_option("--time-limit", options->time_limit, "time limit of one run: 90s, 10m, 2h");
       app.add_option("--seed", options->seed, "random seed of data, weights and order")
           ->check(whole_from(0, INT64_MAX));
       app.add_option("--launcher", options->launcher,
                      "how processes are started (see `trainmark list launchers`)");
       app.add_option("--hosts", options->hosts,
                      "hosts to start them on, with the number of slots if limited: a,b:4")
           ->delimiter(',');
       add_path_option(app, "--hostfile", options->hostfile,
                       "the same from a file of Open MPI's form: host slots=N");
       add_examples(
           app,
           {{"trainmark run", "the suite `quick` on this machine, into results/quick-TIME"},
            {"trainmark run --dry-run", "its cells, and about how long they take"},
            {"trainmark run quick --only clock --rounds 1",
             "only the cells of the clock, which trains nothing: does the bench work here?"},
            {"trainmark run --workload resnet50 --batch 8,16 --rounds 5",
             "other cells than those of the suite"},
            {"trainmark run my-suite.yaml --out results/mine", "a suite of your own"},
            {"trainmark run quick --resume", "continue after Ctrl-C"},
            {"trainmark run scaling --launcher mpirun --hostfile hosts", "on several machines"}},
           "Ctrl-C discards the current run (exit code 130); earlier results are kept, and "
           "--resume continues.");
       return [options] { return run_suite(*options); };
     }});

}  // namespace

}  // namespace trainmark
