#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/carry_out.h"
#include "cli/command.h"
#include "suite/suite.h"

namespace trainmark {

namespace {

struct RunOptions {
  std::string suite = "quick";
  CarryOut how;
  std::map<std::string, std::vector<std::string>> dimensions;
  std::string rule, launcher, time_limit;
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

/// Applies what the command line changes, and says so in words that are kept with the results.
std::vector<std::string> apply_overrides(Suite& suite, const RunOptions& options) {
  std::vector<std::string> said;
  for (const auto& [dimension, values] : options.dimensions) {
    if (values.empty()) continue;
    override_dimension(suite, dimension, values);
    said.push_back(fmt::format("--{} {}", dimension, join(values, ",")));
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
  return said;
}

int run_suite(const RunOptions& options) {
  Suite suite = load_suite(options.suite, home());
  CarryOut how = options.how;
  how.overrides = apply_overrides(suite, options);
  return carry_out(suite, how);
}

const Registration<Subcommand> registered(
    "run",
    {"measure a suite: a matrix of workloads, frameworks, precisions, batches and scales",
     [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<RunOptions>();
       app.add_option("suite", options->suite,
                      "a suite's name or the path of its file (default: quick)");
       app.add_option("--only", options->how.only,
                      "only cells whose key holds this text; with * and ? it must match the "
                      "whole key (see --dry-run for the keys)");
       app.add_option("--out", options->how.out,
                      "the folder for journal, logs and report (default: "
                      "results/SUITE-TIME)");
       app.add_flag("--resume", options->how.resume,
                    "go on where an earlier run stopped (in --out, or the newest)");
       app.add_flag("--retry-failed", options->how.retry_failed,
                    "with --resume: do failed runs again");
       app.add_flag("--dry-run", options->how.dry_run,
                    "show the cells and the exact command of each, and measure nothing");
       app.add_flag("--quiet", options->how.quiet, "no progress");
       for (const auto& name : dimension_names()) {
         app.add_option("--" + name, options->dimensions[name],
                        "instead of the suite's own (several: a,b)")
             ->delimiter(',');
       }
       app.add_option("--rule", options->rule, "the stopping rule (see `trainmark list rules`)");
       app.add_option("--set", options->set,
                      "a value of the rule: NAME=NUMBER, such as interval=0.2%");
       app.add_option("--rounds", options->rounds, "runs of each cell")->check(CLI::Range(1, 1000));
       app.add_option("--time-limit", options->time_limit, "of one run: 90s, 10m, 2h");
       app.add_option("--seed", options->seed, "of data, weights and order");
       app.add_option("--launcher", options->launcher,
                      "how processes are started (see `trainmark list launchers`)");
       return [options] { return run_suite(*options); };
     }});

}  // namespace

}  // namespace trainmark
