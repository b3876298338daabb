#include "cli/carry_out.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/text.h"
#include "base/version.h"
#include "bench/estimate.h"
#include "bench/session.h"
#include "cli/command.h"
#include "cli/output_path.h"
#include "cli/show_report.h"
#include "journal/journal.h"
#include "launch/describe.h"
#include "suite/suite_secrets.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr double submission_beat = 0.2;  // seconds between looks at a scheduler's job

/// As it could be typed.
std::string command_line(const std::vector<std::string>& command,
                         const std::map<std::string, std::string>& variables) {
  std::string line;
  for (const auto& [name, value] : variables) {
    line += fmt::format("{}={} ", name, shell_line({value}));
  }
  return line + shell_line(command);
}

std::string rounds_text(const Measuring& measuring) {
  return counted(static_cast<std::size_t>(measuring.rounds), "round");
}

/// A command for several nodes is not started here, but it can be shown what to start on each.
void print_nodes(const Cell& cell, const FrameworkSettings& own, const Measuring& measuring,
                 std::size_t most_steps) {
  for (int node = 0; node < cell.scale.nodes; ++node) {
    const ForeignRequest request =
        make_foreign_request(cell, measuring.seed, most_steps, own, node);
    print_out("  node {}: {}\n", node, command_line(request.command, request.variables));
  }
}

void print_dry_run(const Suite& suite, const Plan& plan, const Catalog& catalog,
                   const Measuring& measuring) {
  print_out("{}: {}, {}, rule {}, launcher {}\n", suite.name, counted(plan.cells.size(), "cell"),
            rounds_text(measuring), measuring.rule_text(), measuring.launcher_name);
  const auto rule = measuring.kind->make(measuring.values);
  for (const auto& planned : plan.cells) {
    const RunRequest request =
        make_request(planned.cell, measuring.seed, rule->most_steps(), suite, catalog);
    if (std::holds_alternative<ForeignRequest>(request) && planned.cell.scale.nodes > 1) {
      print_out("\n{}: not started by trainmark; on each node:\n", planned.cell.key());
      print_nodes(planned.cell, suite.frameworks.at(planned.cell.framework_name()), measuring,
                  rule->most_steps());
      continue;
    }
    const LaunchPlan launch = plan_request(request, *measuring.launcher);
    print_out("\n{}\n  {}\n", planned.cell.key(), command_line(launch.command, launch.variables));
    for (std::size_t rank = 0; rank < launch.cores.size(); ++rank) {
      print_out("  rank {} on cores {}\n", rank, fmt::join(launch.cores[rank], ","));
    }
  }
  for (const auto& skip : plan.skipped) {
    print_out("\nskipped {}: {}\n", skip.cell.key(), skip.reason);
  }
}

/// The newest folder of this suite under results/, for --resume without --out.
fs::path newest_results(const std::string& suite) {
  fs::path newest;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("results", error)) {
    if (is_results_folder(entry.path(), suite) && has_journal(entry.path()) &&
        entry.path() > newest) {
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

/// Where the results go; a folder that nobody named is made.
fs::path folder_for(const CarryOut& options, const std::string& suite) {
  if (options.out.empty())
    return options.resume ? newest_results(suite) : make_results_folder(suite);
  check_output_folder("--out", options.out);
  return options.out;
}

/// The same for a plan that is only shown.
fs::path folder_to_show(const CarryOut& options, const std::string& suite) {
  if (options.out.empty() && !options.resume) return fs::path("results") / (suite + "-TIME");
  return folder_for(options, suite);
}

/// Those that fit into the suite's budget. A suite that goes on keeps the number it was begun with,
/// whatever has been learned of its set-ups since.
int rounds_of(const Suite& suite, const Plan& plan, const Measuring& measuring,
              const CarryOut& options, const SetUpHistory& set_ups) {
  if (!suite.budget) return measuring.rounds;
  if (options.resume) {
    const fs::path folder = folder_for(options, suite.name);
    if (has_journal(folder)) {
      const JournalContents begun = read_journal(folder);
      if (!begun.suites.empty() && begun.suites.back().rounds > 0)
        return begun.suites.back().rounds;
    }
  }
  return rounds_within(*suite.budget, plan.cells, measuring, set_ups);
}

/// The frameworks that the suite names. All, where these do not know a workload or a size of it:
/// a message should say what the others offer.
Catalog catalog_for(const Suite& suite) {
  const Catalog named = find_frameworks(home(), suite.frameworks, named_frameworks(suite));
  return knows_names(named, suite) ? named : find_frameworks(home(), suite.frameworks);
}

/// A plan can be shown where the programs of others are not: they are on the machine that it is
/// for.
void plan_without_programs(Catalog& catalog) {
  for (auto& offer : catalog.frameworks) {
    offer.elsewhere = offer.foreign;
    if (!offer.foreign || offer.missing.empty()) continue;
    say("{} cannot run on this machine: {}", offer.name, offer.missing);
    offer.missing.clear();
  }
}

/// The bench as a job of the scheduler's, with room for the largest of its cells.
SuiteJob job_of(const Suite& suite, const Plan& plan, const CarryOut& options,
                const fs::path& folder) {
  if (options.again.empty()) {
    throw UserError(
        fmt::format("outside of an allocation, the launcher '{}' is for suites: write one and use "
                    "`trainmark run`",
                    suite.launcher.value));
  }
  SuiteJob job;
  job.name = "trainmark-" + suite.name;
  job.scale = largest_scale(plan);
  job.arguments = suite.job_arguments;
  job.folder = fs::current_path().string();
  job.log = fs::absolute(folder / "job.log").string();
  job.command = {(program_folder() / "trainmark").string()};
  job.command.insert(job.command.end(), options.again.begin(), options.again.end());
  job.command.insert(job.command.end(), {"--out", fs::absolute(folder).string(), "--quiet"});
  if (options.resume) job.command.push_back("--resume");
  if (options.retry_failed) job.command.push_back("--retry-failed");
  if (options.more_cells) job.command.push_back("--more-cells");
  return job;
}

int show_outcome(const fs::path& folder, bool well, bool details) {
  const JournalContents contents = read_journal(folder);
  // Files first: whoever reads the table may take his time, or go.
  for (const char* format : {"md", "html"})
    save_report(contents, format, Language::en, folder / (std::string("report.") + format));
  ReportOptions options = terminal_options();
  options.details = details;
  show_report(contents, "table", Language::en, standard_output(), options);
  say("\nreport: {} (for a browser), and the same in Markdown beside it",
      (folder / "report.html").string());
  return well ? exit_well : exit_failed;
}

std::string what_is_kept(const fs::path& folder, bool can_resume) {
  return fmt::format("what was measured is kept in {0}{1}", folder.string(),
                     can_resume ? fmt::format("; --resume --out {} goes on", folder.string()) : "");
}

/// Ctrl-C gives up the run in flight. The reports are not made then: whoever stops does not want to
/// wait.
SessionOutcome measure_until_stopped(const Suite& suite, const Plan& plan, const Catalog& catalog,
                                     const Measuring& measuring, const SessionOptions& session,
                                     Progress& progress, bool can_resume) {
  const NotedSignals noted;
  try {
    const SessionOutcome outcome =
        measure_suite(suite, plan, catalog, measuring, session, progress, is_interrupted);
    stop_if_interrupted();
    return outcome;
  } catch (const Interrupted&) {
    throw Interrupted(what_is_kept(session.folder, can_resume));
  }
}

/// Outside of an allocation: writes the script, submits it, and waits for its end.
int carry_out_as_job(const Suite& suite, const Plan& plan, const CarryOut& options,
                     const Scheduler& scheduler) {
  if (options.dry_run) {
    const fs::path shown = folder_to_show(options, suite.name);
    print_out("{}", scheduler.script(job_of(suite, plan, options, shown)));
    return exit_well;
  }
  const fs::path folder = folder_for(options, suite.name);
  const std::string script = scheduler.script(job_of(suite, plan, options, folder));
  make_folders(folder);
  const fs::path file = folder / "job.sh";
  write_file_atomically(file, script);
  const NotedSignals noted;
  const auto submission = scheduler.submit(file, [](const std::string& line) { say("{}", line); });
  while (submission->wait(submission_beat)) {
    if (is_interrupted()) submission->cancel();
  }
  const bool well = submission->ended_well();
  if (!well) {
    say("what the job printed is in {}; what it measured is kept, and --resume --out {} goes "
        "on",
        (folder / "job.log").string(), folder.string());
  }
  if (!has_journal(folder)) return exit_failed;
  return show_outcome(folder, well, options.details);
}

}  // namespace

void add_keep_secrets(CLI::App& app, CarryOut& options) {
  app.add_flag("--keep-secrets", options.keep_secrets,
               "write passwords, tokens and keys of commands and variables into the results, too "
               "(default: REDACTED stands for them)");
}

void add_details(CLI::App& app, CarryOut& options) {
  app.add_flag("--details", options.details,
               "in the table at the end: every warning of every cell, not each kind once");
}

int carry_out(Suite suite, const CarryOut& options) {
  SessionOptions session;
  session.secrets = Secrets(options.keep_secrets);
  suite.text = text_without_secrets(suite, session.secrets);
  for (const std::string& words : options.overrides)
    session.overrides.push_back(session.secrets.hide(std::string_view(words)));
  Measuring measuring = settle_measuring(suite);
  check_commands(suite);
  Catalog catalog = catalog_for(suite);
  if (options.dry_run) plan_without_programs(catalog);
  Plan plan = make_plan(suite, catalog);
  keep_only(plan, options.only);
  const SetUpHistory set_ups = read_set_up_history("results", collect_environment());
  measuring.rounds = rounds_of(suite, plan, measuring, options, set_ups);
  if (const auto scheduler = measuring.launcher->scheduler())
    return carry_out_as_job(suite, plan, options, *scheduler);
  // A launcher's refusal should come now, and not after an hour of measuring.
  for (const auto& planned : plan.cells) {
    plan_request(make_request(planned.cell, measuring.seed, 1, suite, catalog),
                 *measuring.launcher);
  }
  for (const auto& note : plan.notes) say("{}", note);
  if (options.dry_run) {
    print_dry_run(suite, plan, catalog, measuring);
    return exit_well;
  }

  session.resume = options.resume;
  session.retry_failed = options.retry_failed;
  session.more_cells = options.more_cells;
  session.proofs = known_proofs(home());
  session.folder = folder_for(options, suite.name);
  const auto progress =
      options.quiet ? silent_progress() : make_progress(isatty(STDERR_FILENO) != 0);
  const auto expected = estimate(plan.cells, measuring, set_ups);
  progress->say(fmt::format("{}: {} x {} into {}{}", suite.name, counted(plan.cells.size(), "cell"),
                            rounds_text(measuring), session.folder.string(),
                            expected ? ", " + expected->text() : ""));
  const SessionOutcome outcome = measure_until_stopped(
      suite, plan, catalog, measuring, session, *progress, /*can_resume=*/!options.again.empty());
  const int code = show_outcome(session.folder, outcome.failed == 0, options.details);
  if (outcome.failed > 0) {
    say("{} of {} failed; their logs are in {}", outcome.failed, counted(outcome.total, "run"),
        (session.folder / "runs").string());
  }
  return code;
}

}  // namespace trainmark
