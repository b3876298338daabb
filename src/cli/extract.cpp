#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "base/text.h"
#include "base/waiting.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/file_progress.h"
#include "cli/output_path.h"
#include "cli/printed_programs.h"
#include "cli/show_report.h"
#include "journal/foreign.h"
#include "logs/described/described.h"
#include "report/extraction/extraction.h"

namespace trainmark {

namespace {

struct ExtractArguments {
  std::vector<std::string> paths;
  ExtractOptions options;
  std::string format = "table", save, into;
  bool passed_over = false;
};

/// What was named, and what was read in folders.
std::vector<std::string> read_files(const ExtractArguments& arguments,
                                    const Extraction& extraction) {
  std::vector<std::string> files;
  for (const std::string& path : arguments.paths)
    if (path != "-") files.push_back(path);
  for (const LogFigure& figure : extraction.figures) files.push_back(figure.file);
  return files;
}

/// Folders have a bar of their files. A single log may take as long: then its name is shown.
Extraction read_logs(const std::vector<std::string>& paths, const ExtractOptions& options) {
  FileProgress progress;
  std::optional<Waiting> waiting;
  const auto is_folder = [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error);
  };
  if (std::none_of(paths.begin(), paths.end(), is_folder))
    waiting.emplace(paths.size() > 1       ? "reading " + counted(paths.size(), "log")
                    : paths.front() == "-" ? "reading standard input"
                                           : "reading " + printable(paths.front()));
  return extract_paths(paths, options,
                       [&](std::size_t done, std::size_t files) { progress.show(done, files); });
}

int extract(const ExtractArguments& arguments) {
  const ExtractionFormat* format = Registry<ExtractionFormat>::find(arguments.format);
  if (format == nullptr) {
    throw UserError(fmt::format("unknown format '{}'; {}", printable(arguments.format),
                                suggest(arguments.format, Registry<ExtractionFormat>::names())));
  }
  add_own_dialects();
  ExtractOptions options = arguments.options;
  options.dialect = resolved_dialect(options.dialect);
  Extraction extraction = read_logs(arguments.paths, options);
  extraction.list_passed_over = arguments.passed_over;
  if (!arguments.save.empty())
    check_output_file("--save", arguments.save, read_files(arguments, extraction));
  if (!arguments.into.empty()) check_output_folder("--into", arguments.into);
  format->write(extraction, terminal_options(), standard_output());
  standard_output().flush();
  if (!arguments.save.empty()) {
    write_file_atomically(arguments.save, scaling_json(extraction.cases).dump(4) + "\n");
    say("saved: {}", arguments.save);
  }
  if (!arguments.into.empty()) {
    const AddedFigures added = add_foreign_runs(arguments.into, extraction.figures);
    say("{}", added.text(arguments.into));
  }
  const bool all = std::all_of(extraction.figures.begin(), extraction.figures.end(),
                               [](const LogFigure& figure) { return figure.throughput > 0; });
  return all ? exit_well : exit_failed;
}

const Registration<Subcommand> extract_command(
    "extract",
    {"extract throughput from the logs of other programs",
     [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<ExtractArguments>();
       ExtractOptions& options = arguments->options;
       const auto positive = whole_from(1, 100'000'000);
       app.add_option("paths", arguments->paths,
                      "logs (plain, .gz, .zst or .xz), folders of logs, or - for standard input; "
                      "DLPerf's convention 1n8g/r50_b128_fp32_1.log is understood")
           ->required();
       app.add_option("--dialect", options.dialect,
                      "the format of the log: a name (see `trainmark list dialects`), generic "
                      "(none of them, learned from its lines), or a YAML file that describes it "
                      "(default: detected from its text)");
       add_pattern_options(app, options.pattern, options.scope);
       app.add_option("--gpus", options.given.gpus,
                      "number of GPUs of the whole job, if the log does not say")
           ->check(positive);
       app.add_option("--nodes", options.given.nodes, "number of nodes, if the log does not say")
           ->check(positive);
       app.add_option("--batch", options.given.batch,
                      "batch size of one GPU, if the log does not say")
           ->check(positive);
       app.add_option("--precision", options.given.precision, "if the log does not say");
       app.add_option("--unit", options.given.unit, "unit of the figure, such as images/s");
       app.add_option("--rule", options.rule,
                      "compute the figure as its author did: terms such as 'records=step field=ips "
                      "skip=10 take=100 trim=5or5% agg=mean scale=gpus', or printed, or time");
       app.add_option("--format", arguments->format,
                      join(Registry<ExtractionFormat>::names(), ", ") + " (default: table)");
       add_path_option(app, "--save", arguments->save,
                       "write average, median and speed-up by job size into this JSON file");
       add_path_option(app, "--into", arguments->into,
                       "add the figures to the journal in this folder, marked as foreign");
       app.add_flag("--passed-over", arguments->passed_over,
                    "list the files of folders that were not read, and why");
       add_examples(
           app,
           {{"trainmark extract logs/", "every log below a folder, in whatever format"},
            {"trainmark extract train.log --gpus 8 --batch 256", "say what the log does not"},
            {"trainmark extract train.log --pattern 'it (?P<step>\\d+) (?P<rate>[\\d.]+) img/s'",
             "a format of your own"},
            {"zcat old.log.gz | trainmark extract - --format json",
             "from standard input, for programs"}});
       return [arguments] { return extract(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
