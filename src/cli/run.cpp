#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "base/time.h"
#include "base/version.h"
#include "bench/session.h"
#include "cli/command.h"
#include "cli/show_report.h"
#include "journal/journal.h"
#include "launch/describe.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t stop_wanted = 0;

void want_stop(int) {
  stop_wanted = 1;
}

struct RunOptions {
  std::string suite = "quick";
  std::vector<std::string> only;
  std::string out;
  bool resume = false;
  bool retry_failed = false;
  bool dry_run = false;
  bool quiet = false;
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

void print_dry_run(const Suite& suite, const Plan& plan, const Catalog& catalog,
                   const Measuring& measuring) {
  fmt::print("{}: {} cells, {} rounds, rule {}, launcher {}\n", suite.name, plan.cells.size(),
             measuring.rounds, measuring.rule_text(), measuring.launcher_name);
  const auto rule = measuring.kind->make(measuring.values);
  for (const auto& planned : plan.cells) {
    const LaunchPlan launch = measuring.launcher->plan(
        make_request(planned.cell, measuring.seed, rule->most_steps(), suite, catalog));
    std::string line;
    for (const auto& [name, value] : launch.variables) {
      line += fmt::format("{}={} ", name, shell_line({value}));
    }
    fmt::print("\n{}\n  {}{}\n", planned.cell.key(), line, shell_line(launch.command));
    for (std::size_t rank = 0; rank < launch.cores.size(); ++rank) {
      fmt::print("  rank {} on cores {}\n", rank, fmt::join(launch.cores[rank], ","));
    }
  }
  for (const auto& skip : plan.skipped) {
    fmt::print("\nskipped {}: {}\n", skip.cell.key(), skip.reason);
  }
}

/// The newest folder of this suite under results/, for --resume without --out.
fs::path newest_results(const std::string& suite) {
  fs::path newest;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("results", error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(suite + "-") && has_journal(entry.path()) && entry.path() > newest) {
      newest = entry.path();
    }
  }
  if (newest.empty()) {
    throw UserError(
        fmt::format("--resume: there is no results/{}-* to go on with; name the folder "
                    "with --out",
                    suite));
  }
  return newest;
}

fs::path folder_for(const RunOptions& options, const std::string& suite) {
  if (!options.out.empty()) return options.out;
  if (options.resume) return newest_results(suite);
  return fs::path("results") / fmt::format("{}-{}", suite, file_stamp());
}

int run_suite(const RunOptions& options) {
  Suite suite = load_suite(options.suite, home());
  SessionOptions session;
  session.overrides = apply_overrides(suite, options);
  const Measuring measuring = settle_measuring(suite);
  const Catalog catalog = find_frameworks(home(), suite.frameworks);
  Plan plan = make_plan(suite, catalog);
  keep_only(plan, options.only);
  // A launcher's refusal should come now, and not after an hour of measuring.
  for (const auto& planned : plan.cells) {
    measuring.launcher->plan(make_request(planned.cell, measuring.seed, 1, suite, catalog));
  }
  for (const auto& note : plan.notes) fmt::print(stderr, "{}\n", note);
  if (options.dry_run) {
    print_dry_run(suite, plan, catalog, measuring);
    return exit_well;
  }

  session.folder = folder_for(options, suite.name);
  session.resume = options.resume;
  session.retry_failed = options.retry_failed;
  session.proofs = known_proofs(home());
  std::signal(SIGINT, want_stop);
  std::signal(SIGTERM, want_stop);
  std::signal(SIGHUP, want_stop);
  const auto progress =
      options.quiet ? silent_progress() : make_progress(isatty(STDERR_FILENO) != 0);
  progress->say(fmt::format("{}: {} cells x {} rounds into {}", suite.name, plan.cells.size(),
                            measuring.rounds, session.folder.string()));
  const SessionOutcome outcome = measure_suite(suite, plan, catalog, measuring, session, *progress,
                                               [] { return stop_wanted != 0; });

  const JournalContents contents = read_journal(session.folder);
  show_report(contents, "table", Language::en, std::cout);
  const fs::path report = session.folder / "report.md";
  save_report(contents, "md", Language::en, report);
  fmt::print(stderr, "\nreport: {}\n", report.string());
  if (outcome.failed > 0) {
    fmt::print(stderr, "{} of {} runs failed; their logs are in {}\n", outcome.failed,
               outcome.total, (session.folder / "runs").string());
  }
  return outcome.failed > 0 ? exit_failed : exit_well;
}

const Registration<Subcommand> registered(
    "run",
    {"measure a suite: a matrix of workloads, frameworks, precisions, batches and scales",
     [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<RunOptions>();
       app.add_option("suite", options->suite,
                      "a suite's name or the path of its file (default: quick)");
       app.add_option("--only", options->only,
                      "only cells whose key holds this text; with * and ? it must match the "
                      "whole key (see --dry-run for the keys)");
       app.add_option("--out", options->out,
                      "the folder for journal, logs and report (default: "
                      "results/SUITE-TIME)");
       app.add_flag("--resume", options->resume,
                    "go on where an earlier run stopped (in --out, or the newest)");
       app.add_flag("--retry-failed", options->retry_failed, "with --resume: do failed runs again");
       app.add_flag("--dry-run", options->dry_run,
                    "show the cells and the exact command of each, and measure nothing");
       app.add_flag("--quiet", options->quiet, "no progress");
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
