#include "cli/carry_out.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/version.h"
#include "base/waiting.h"
#include "base/wrapped.h"
#include "bench/estimate.h"
#include "bench/session.h"
#include "cli/command.h"
#include "cli/output_path.h"
#include "cli/show_report.h"
#include "journal/journal.h"
#include "launch/describe.h"
#include "logs/described/described.h"
#include "report/writing/table.h"
#include "suite/suite_secrets.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr double submission_beat = 0.2;  // seconds between looks at a scheduler's job

/// Dialects are asked for where programs are listened to, and by nobody else.
void add_dialects_for(const Suite& suite) {
  const bool listens =
      std::any_of(suite.frameworks.begin(), suite.frameworks.end(),
                  [](const auto& entry) { return entry.second.foreign.has_value(); });
  if (!listens) return;
  add_own_dialects();
  add_suite_dialects(suite);
}

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

void print_commands(const Suite& suite, const Plan& plan, const Catalog& catalog,
                    const Measuring& measuring) {
  const auto rule = measuring.kind->make(measuring.values);
  for (const auto& planned : plan.cells) {
    const RunRequest request = make_request(planned.cell, measuring.seed, rule->most_steps(), suite,
                                            catalog, measuring.quality());
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
}

/// The cells, each with its share of the time.
void print_cells(const Plan& plan, const Measuring& measuring, const SetUpHistory& set_ups) {
  Table table;
  table.columns = {{"cell", Align::left, 100, 0}, {"runs", Align::right, 50, 0}};
  const bool known = estimate(plan.cells, measuring, set_ups).has_value();
  if (known) table.columns.push_back({"at most", Align::right, 60, 0});
  for (const auto& planned : plan.cells) {
    std::vector<TableCell> row = {planned.cell.key(), std::to_string(measuring.rounds)};
    if (known)
      row.emplace_back(fmt::format("{:.0f} s", estimate({planned}, measuring, set_ups)->seconds));
    table.rows.push_back(std::move(row));
  }
  standard_output() << '\n';
  write_terminal(table, terminal_options(), standard_output());
}

std::string count_text(const Plan& plan) {
  return plan.cells.empty()
             ? fmt::format("0 of {} can be measured here", counted(plan.skipped.size(), "cell"))
             : counted(plan.cells.size(), "cell");
}

/// Nothing where nobody knows, and of nothing.
std::optional<Estimate> time_of(const Plan& plan, const Measuring& measuring,
                                const SetUpHistory& set_ups) {
  if (plan.cells.empty()) return std::nullopt;
  return estimate(plan.cells, measuring, set_ups);
}

void print_dry_run(const Suite& suite, const Plan& plan, const Catalog& catalog,
                   const Measuring& measuring, const SetUpHistory& set_ups, bool commands) {
  const auto expected = time_of(plan, measuring, set_ups);
  const std::size_t width = terminal_options().width;
  print_out("{}\n",
            wrapped(fmt::format("{}: {}, {}, rule {}, launcher {}{}", suite.name, count_text(plan),
                                rounds_text(measuring), measuring.rule_text(),
                                measuring.launcher_name, expected ? ", " + expected->text() : ""),
                    width, 2));
  if (commands) {
    print_commands(suite, plan, catalog, measuring);
  } else if (!plan.cells.empty()) {
    print_cells(plan, measuring, set_ups);
    print_out("\n--dry-run --commands shows the exact command of each cell.\n");
  }
  for (const auto& skip : plan.skipped) {
    print_out("\n{}\n",
              wrapped(fmt::format("skipped {}: {}", skip.cell.key(), skip.reason), width, 2));
  }
}

/// The newest folder of this suite among the results, for --resume without --out.
fs::path newest_results(const std::string& suite) {
  fs::path newest;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(results_folder(), error)) {
    if (is_results_folder(entry.path(), suite) && has_journal(entry.path()) &&
        entry.path() > newest) {
      newest = entry.path();
    }
  }
  if (newest.empty()) {
    throw UserError(
        fmt::format("--resume: there is no {}-* to continue; name the folder with --out",
                    (results_folder() / suite).string()));
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
  if (options.out.empty() && !options.resume) return results_folder() / (suite + "-TIME");
  return folder_for(options, suite);
}

SetUpHistory known_set_ups() {
  const Waiting waiting("looking at earlier results");
  return read_set_up_history(results_folder(), collect_environment());
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

/// A job is submitted from a machine that need not have what its nodes have: there the suite is
/// planned once more.
void plan_for_nodes(Catalog& catalog) {
  for (auto& offer : catalog.frameworks)
    for (auto& device : offer.description.devices) device.missing.clear();
}

/// Why a trainer of ours cannot be started at its scale; no reason where it can.
SkippedCell refusal_of(const Cell& cell, const RunRequest& request, const Measuring& measuring) {
  try {
    plan_request(request, *measuring.launcher);
  } catch (const UserError& error) {
    return {cell, error.what()};  // another launcher or more hosts would do: the user's to say
  }
  if (measuring.launcher_name != "local" || cell.device != "cuda" ||
      std::holds_alternative<ForeignRequest>(request))
    return {cell, ""};
  const auto gpus = usable_gpus();
  if (!gpus || cell.scale.per_node <= *gpus) return {cell, ""};
  return {cell,
          fmt::format("scale {} needs {}, and this machine has {}", cell.scale.text(),
                      counted(static_cast<std::size_t>(cell.scale.per_node), "GPU"), *gpus),
          /*lacking=*/true};
}

/// A launcher's refusal should come now, and not after an hour of measuring. A table may ask for
/// more machines and cards than are here: those cells are skipped, as long as others are left, or
/// the table waits for another machine anyway.
void skip_what_is_too_large(Plan& plan, const Suite& suite, const Catalog& catalog,
                            const Measuring& measuring) {
  std::vector<PlannedCell> possible;
  std::vector<SkippedCell> refused;
  for (const auto& planned : plan.cells) {
    SkippedCell refusal = refusal_of(
        planned.cell, make_request(planned.cell, measuring.seed, 1, suite, catalog), measuring);
    if (refusal.reason.empty()) {
      possible.push_back(planned);
    } else {
      refused.push_back(std::move(refusal));
    }
  }
  const auto lacks = [](const SkippedCell& cell) { return cell.lacking; };
  if (possible.empty() && !refused.empty() && std::none_of(refused.begin(), refused.end(), lacks))
    throw UserError(refused.front().reason);
  plan.cells = std::move(possible);
  plan.skipped.insert(plan.skipped.end(), refused.begin(), refused.end());
}

/// The bench as a job of the scheduler's, with room for the largest of its cells.
SuiteJob job_of(const Suite& suite, const Plan& plan, const CarryOut& options,
                const fs::path& folder) {
  if (options.again.empty()) {
    throw UserError(
        fmt::format("outside an allocation, the launcher '{}' needs a suite: write one and use "
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

int show_outcome(const fs::path& folder, bool well, const CarryOut& how) {
  const JournalContents contents = read_journal(folder);
  ReportOptions paper;
  paper.price = given_price(how.price);
  // Files first: whoever reads the table may take his time, or go.
  for (const char* format : {"md", "html"})
    save_report(contents, format, Language::en, folder / (std::string("report.") + format), paper);
  ReportOptions options = terminal_options();
  options.details = how.details;
  options.price = paper.price;
  show_report(contents, "table", Language::en, standard_output(), options);
  say("\nreport: {} (for a browser), and the same in Markdown beside it",
      (folder / "report.html").string());
  return well ? exit_well : exit_failed;
}

std::string what_is_kept(const fs::path& folder, bool can_resume) {
  return fmt::format(
      "results so far are kept in {0}{1}", folder.string(),
      can_resume ? fmt::format("; --resume --out {} continues", folder.string()) : "");
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
    say("the output of the job is in {}; results so far are kept; --resume --out {} "
        "continues",
        (folder / "job.log").string(), folder.string());
  }
  if (!has_journal(folder)) return exit_failed;
  return show_outcome(folder, well, options);
}

}  // namespace

void add_keep_secrets(CLI::App& app, CarryOut& options) {
  app.add_flag("--keep-secrets", options.keep_secrets,
               "also write passwords, tokens and keys of commands and variables into the results "
               "(default: replace them with REDACTED)");
}

void add_details(CLI::App& app, CarryOut& options) {
  app.add_flag("--details", options.details,
               "list every warning of every cell below the final table");
}

int carry_out(Suite suite, const CarryOut& options) {
  given_price(options.price);  // a slip is reported before anything is measured
  SessionOptions session;
  session.secrets = Secrets(options.keep_secrets);
  suite.text = text_without_secrets(suite, session.secrets);
  for (const std::string& words : options.overrides)
    session.overrides.push_back(session.secrets.hide(std::string_view(words)));
  for (const std::string& pattern : options.only)
    session.only.push_back(session.secrets.hide(std::string_view(pattern)));
  Measuring measuring = settle_measuring(suite);
  add_dialects_for(suite);
  check_commands(suite);
  Catalog catalog = catalog_for(suite);
  if (options.dry_run) plan_without_programs(catalog);
  const auto scheduler = measuring.launcher->scheduler();
  if (scheduler) plan_for_nodes(catalog);
  Plan plan = make_plan(suite, catalog);
  keep_only(plan, options.only);
  const SetUpHistory set_ups = known_set_ups();
  measuring.rounds = rounds_of(suite, plan, measuring, options, set_ups);
  if (scheduler) {
    refuse_empty(suite, plan);
    return carry_out_as_job(suite, plan, options, *scheduler);
  }
  skip_what_is_too_large(plan, suite, catalog, measuring);
  for (const auto& note : plan.notes) say("{}", note);
  if (options.dry_run) {
    print_dry_run(suite, plan, catalog, measuring, set_ups, options.commands);
    return exit_well;
  }

  session.resume = options.resume;
  session.retry_failed = options.retry_failed;
  session.more_cells = options.more_cells;
  session.proofs = known_proofs(home());
  session.folder = folder_for(options, suite.name);
  const auto progress =
      options.quiet ? silent_progress() : make_progress(can_redraw(STDERR_FILENO));
  const auto expected = time_of(plan, measuring, set_ups);
  progress->say(plan.cells.empty()
                    ? fmt::format("{}: {}; the reasons are kept in {}", suite.name,
                                  count_text(plan), session.folder.string())
                    : fmt::format("{}: {} x {} into {}{}", suite.name, count_text(plan),
                                  rounds_text(measuring), session.folder.string(),
                                  expected ? ", " + expected->text() : ""));
  const SessionOutcome outcome = measure_until_stopped(
      suite, plan, catalog, measuring, session, *progress, /*can_resume=*/!options.again.empty());
  // A table without a figure is worth having, but nothing was measured: who waits for figures must
  // notice.
  const bool well = outcome.failed == 0 && !plan.waits_for_a_machine();
  const int code = show_outcome(session.folder, well, options);
  if (outcome.failed > 0) {
    say("{} of {} failed; their logs are in {}", outcome.failed, counted(outcome.total, "run"),
        (session.folder / "runs").string());
  }
  return code;
}

}  // namespace trainmark
