#include "bisect/bisect.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/output_path.h"
#include "cli/printed_programs.h"
#include "suite/yaml_reader.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

struct BisectOptions {
  std::string good, bad;
  std::vector<std::string> command;
  std::string repository = ".", build, build_limit = "1h", out;
  bool clean = false, resume = false, dry_run = false, quiet = false, keep_secrets = false;
  double min_slow_down = 2;  // percent
  std::size_t max_runs = 200;
  double max_seconds = 120, turn_seconds = 1;
  PrintedOptions printed;
};

/// Shows what is at work on a terminal. The result of a comparison is one line of the bisect's
/// own, not in one for each run.
class ComparisonProgress : public Progress {
 public:
  explicit ComparisonProgress(std::unique_ptr<Progress> shown, bool quiet)
      : shown_(std::move(shown)), quiet_(quiet) {}

  void say(const std::string&) override {}
  void tell(const std::string& line) {
    if (!quiet_) shown_->say(line);
  }
  void started(const RunTask& task, const SuiteView& suite) override {
    if (!quiet_) shown_->started(task, suite);
  }
  void running(const RunTask& task, const RunView& run, const SuiteView& suite) override {
    if (!quiet_) shown_->running(task, run, suite);
  }
  void finished(const RunRecord&, const SuiteView&) override {}

 private:
  std::unique_ptr<Progress> shown_;
  bool quiet_;
};

double seconds_of(const std::string& option, const std::string& text) {
  const auto seconds = parse_seconds(text);
  if (!seconds)
    throw UserError(
        fmt::format("{} {}: write a time such as 90s, 10m or 2h", option, printable(text)));
  return *seconds;
}

void check(const BisectOptions& options) {
  if (options.command.empty() || options.command.front().empty()) {
    throw UserError(
        "no command to measure; write it after two dashes: trainmark bisect v1.0 HEAD --build "
        "'make -j2' -- ./train");
  }
  check_reading_options(options.printed);
}

/// The ends of the range, which must be one.
std::pair<Commit, Commit> ends_of(const Repository& repository, const BisectOptions& options) {
  Commit good = repository.commit(options.good, "GOOD");
  Commit bad = repository.commit(options.bad, "BAD");
  if (good.id == bad.id)
    throw UserError(fmt::format("GOOD and BAD are the same commit, {}; there is nothing in between",
                                good.short_id));
  if (repository.is_ancestor(good.id, bad.id)) return {std::move(good), std::move(bad)};
  throw UserError(fmt::format(
      "GOOD ({}) is not an ancestor of BAD ({}){}", good.short_id, bad.short_id,
      repository.is_ancestor(bad.id, good.id)
          ? ": BAD is older; write the older commit first"
          : "; name a commit that both have in common, such as `git merge-base GOOD BAD`"));
}

/// For --resume without --out.
fs::path newest_bisect() {
  fs::path newest;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(results_folder(), error))
    if (is_results_folder(entry.path(), "bisect") && has_bisect(entry.path()) &&
        entry.path() > newest)
      newest = entry.path();
  if (newest.empty())
    throw UserError(fmt::format("--resume: there is no {} to continue; name the folder with --out",
                                (results_folder() / "bisect-*").string()));
  return newest;
}

fs::path folder_of(const BisectOptions& options) {
  if (options.out.empty()) return options.resume ? newest_bisect() : make_results_folder("bisect");
  if (!has_bisect(options.out)) {
    check_output_folder("--out", options.out);
    if (options.resume)
      throw UserError(
          fmt::format("--resume: there is no bisect in {} to continue", printable(options.out)));
  }
  return options.out;
}

BisectRequest request_of(const BisectOptions& options, const Repository& repository,
                         std::pair<Commit, Commit> ends) {
  BisectRequest request;
  request.good = std::move(ends.first);
  request.bad = std::move(ends.second);
  request.limits.least = options.min_slow_down / 100;
  request.limits.most_runs = options.max_runs;
  request.resume = options.resume;
  ComparisonOptions& comparison = request.comparison;
  comparison.build = options.build;
  comparison.build_limit = seconds_of("--build-limit", options.build_limit);
  comparison.clean = options.clean;
  comparison.secrets = Secrets(options.keep_secrets);
  comparison.interrupted = is_interrupted;
  comparison.suite = [options](const BuiltCommit& good, const BuiltCommit& next, double interval) {
    PrintedOptions printed = options.printed;
    printed.rule = "turns";
    printed.values = {{"interval", interval},
                      {"max_seconds", options.max_seconds},
                      {"turn_seconds", options.turn_seconds}};
    std::string& workload = printed.facts["workload"];
    if (workload.empty()) workload = short_name(options.command);
    return suite_of_programs("bisect",
                             {{good.name, options.command, good.tree.string()},
                              {next.name, options.command, next.tree.string()}},
                             printed);
  };
  Secrets secrets = comparison.secrets;
  request.question = {{"repository", repository.folder().string()},
                      {"good", request.good.id},
                      {"bad", request.bad.id},
                      {"command", secrets.hide(options.command)},
                      {"build", secrets.hide(std::string_view(options.build))},
                      {"clean", options.clean},
                      {"min_slow_down", options.min_slow_down},
                      {"max_seconds", options.max_seconds},
                      {"turn_seconds", options.turn_seconds},
                      {"dialect", options.printed.dialect},
                      {"pattern", options.printed.pattern},
                      {"scope", options.printed.scope},
                      {"facts", options.printed.facts}};
  return request;
}

int show_plan(const BisectOptions& options, const Repository& repository,
              const BisectRequest& request) {
  const auto suspects = repository.suspects(request.bad.id, {request.good.id});
  print_out("{} after {} up to {}; about {}, more if the noise requires it\n",
            counted(suspects.size(), "commit"), request.good.short_id, request.bad.short_id,
            counted(1 + static_cast<std::size_t>(
                            std::ceil(std::log2(static_cast<double>(suspects.size())))),
                    "comparison"));
  if (!options.build.empty()) print_out("build: {}\n", options.build);
  print_out("run:   {}\n", shell_line(options.command));
  return exit_well;
}

int carry_out_bisect(const BisectOptions& options) {
  check(options);
  const Repository repository(options.repository);
  BisectRequest request = request_of(options, repository, ends_of(repository, options));
  if (options.dry_run) return show_plan(options, repository, request);
  // What the suite refuses should be refused before anything is built.
  request.comparison.suite({"good", "/"}, {"next", "/"}, 0.01);
  request.comparison.folder = folder_of(options);
  const std::string folder = request.comparison.folder.string();
  const bool live = can_redraw(STDERR_FILENO);
  ComparisonProgress progress(make_progress(live), options.quiet);
  progress.tell(
      fmt::format("bisect: {} after {}, into {}",
                  counted(repository.suspects(request.bad.id, {request.good.id}).size(), "commit"),
                  request.good.short_id, folder));
  const NotedSignals noted;
  try {
    const SearchResult result = bisect(repository, request, progress,
                                       [&](const std::string& line) { progress.tell(line); });
    stop_if_interrupted();
    print_out("{}results: {}\n", answer_text(repository, request, result), folder);
    return result.end == SearchEnd::found ? exit_well : exit_failed;
  } catch (const Unusable& unusable) {
    throw SystemError(fmt::format("BAD ({}): {}", request.bad.short_id, unusable.what()));
  } catch (const Interrupted&) {
    throw Interrupted(
        fmt::format("results so far are kept in {0}; --resume --out {0} continues", folder));
  }
}

const Registration<Subcommand> bisect_command(
    "bisect",
    {"which commit of a git repository made a program slower?",
     [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<BisectOptions>();
       app.add_option("good", options->good, "a fast commit, an ancestor of BAD")->required();
       app.add_option("bad", options->bad, "a slow commit")->required();
       app.add_option("command", options->command,
                      "the program and its arguments, after two dashes; it starts in the top "
                      "folder of a tree of the commit, and prints its speed as it goes");
       app.add_option("-C,--repository", options->repository,
                      "a folder of the repository (default: this one)");
       app.add_option("--build", options->build,
                      "a shell command that builds a commit, run in the top folder of its tree "
                      "(default: the command builds what it needs)");
       app.add_option("--build-limit", options->build_limit,
                      "time limit of a build: 90s, 10m, 2h (default: 1h)");
       app.add_flag("--clean", options->clean,
                    "remove the build files of other commits first (git clean -ffdx)");
       app.add_option("--min-slow-down", options->min_slow_down,
                      "percent; ignore smaller differences between GOOD and BAD (default: "
                      "2)")
           ->check(number_from(0.5, 1000));
       app.add_option("--max-runs", options->max_runs,
                      "maximum number of program starts; a comparison takes two (default: 200)")
           ->check(whole_from(2, 1'000'000));
       app.add_option("--max-seconds", options->max_seconds,
                      "maximum per program in one comparison, without the start (default: 120)")
           ->check(number_from(0.001, 604800));
       app.add_option("--turn-seconds", options->turn_seconds, "minimum of one turn (default: 1)")
           ->check(number_from(0.01, 3600));
       app.add_option("--time-limit", options->printed.time_limit,
                      "limit of a whole comparison: 90s, 10m, 2h (default: 10m)");
       add_reading_options(app, options->printed);
       add_path_option(app, "--out", options->out,
                       "the folder for journals, logs and trees: new, empty or with a bisect "
                       "(default: results/bisect-TIME)");
       app.add_flag("--resume", options->resume,
                    "continue an earlier bisect (in --out, or the newest)");
       app.add_flag("--dry-run", options->dry_run, "show the number of commits; start nothing");
       app.add_flag("--quiet", options->quiet, "no progress");
       app.add_flag("--keep-secrets", options->keep_secrets,
                    "also write passwords, tokens and keys of the command into the results");
       add_examples(
           app,
           {{"trainmark bisect v1.0 HEAD --build 'make -j8' -- ./train --config small.yaml",
             "build each commit that is tried, and compare it with v1.0"},
            {"trainmark bisect v1.0 HEAD --dry-run -- python3 train.py",
             "how many commits there are, and about how many comparisons"},
            {"trainmark bisect v1.0 HEAD --resume -- python3 train.py", "continue after Ctrl-C"}},
           "GOOD and the commit in question run together and take turns until it is clear "
           "to "
           "which side the commit belongs. Commits that do not build or run are skipped. Your "
           "checkout is not touched; the trees are removed at the end.\n"
           "Exit codes: 0 the commit was found; 1 there is none, or it is unclear; 2 bad "
           "input; "
           "130 Ctrl-C (--resume continues).");
       return [options] { return carry_out_bisect(*options); };
     }});

}  // namespace

}  // namespace trainmark
