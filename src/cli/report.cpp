#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/output.h"
#include "base/signals.h"
#include "base/waiting.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/output_path.h"
#include "cli/show_report.h"
#include "report/bundle/bundle.h"
#include "report/content/report.h"
#include "report/published/published.h"

namespace trainmark {

namespace {

struct ReportArguments {
  std::string results, format = "table", language = "en", out, bundle, reference, price,
                       colour = "auto";
  bool keep_secrets = false, details = false;
};

/// Where the report goes; empty = to the standard output. A page for browsers is of no use on a
/// terminal: it goes beside the journal then, or beside the bundle.
std::filesystem::path file_for(const ReportArguments& arguments, bool from_bundle) {
  const bool for_browsers = format_named<ReportFormat>(arguments.format).for_browsers;
  if (!arguments.out.empty() || !for_browsers || isatty(STDOUT_FILENO) == 0) return arguments.out;
  const std::string ending = "." + arguments.format;
  if (from_bundle) return std::filesystem::path(arguments.results).replace_extension(ending);
  return std::filesystem::path(arguments.results) / ("report" + ending);
}

void check_outputs(const ReportArguments& arguments) {
  std::vector<std::string> inputs = {arguments.results};
  if (!arguments.reference.empty()) inputs.push_back(arguments.reference);
  if (!arguments.out.empty()) check_output_file("--out", arguments.out, inputs);
  if (!arguments.bundle.empty()) check_output_file("--bundle", arguments.bundle, inputs);
}

int report(const ReportArguments& arguments) {
  check_outputs(arguments);
  const Language language = parse_language(arguments.language);
  ReportOptions options = terminal_options(arguments.colour);
  options.details = arguments.details;
  options.price = given_price(arguments.price);
  if (!arguments.reference.empty()) options.references = read_published(arguments.reference);
  const OpenedResults opened(arguments.results);
  const JournalContents& contents = opened.contents();
  for (const auto& line : contents.damage) say("journal: {}", line);
  if (!arguments.bundle.empty()) {
    const NotedSignals noted;  // a bundle takes its time, and half of one must not stay
    const Waiting waiting("packing the bundle");
    write_bundle(contents, arguments.bundle, arguments.keep_secrets);
    say("bundle: {}", arguments.bundle);
    return exit_well;
  }
  // Links to logs lead to where they lie in the unpacked bundle: beside its report.
  if (opened.from_bundle()) options.page_folder = contents.folder;
  const std::filesystem::path file = file_for(arguments, opened.from_bundle());
  if (file.empty()) {
    show_report(contents, arguments.format, language, standard_output(), options);
    return exit_well;
  }
  ReportOptions paper;
  paper.references = options.references;
  paper.price = options.price;
  paper.details = options.details;
  paper.page_folder = options.page_folder;
  save_report(contents, arguments.format, language, file, paper);
  if (arguments.out.empty()) say("report: {}", file.string());
  return exit_well;
}

std::string format_help() {
  std::string help = "one of (default: table)";
  for (const auto& [name, format] : Registry<ReportFormat>::all())
    help += fmt::format("\n{}: {}", name, format.summary);
  return help;
}

const Registration<Subcommand> report_command(
    "report",
    {"make tables and reports from a folder of results or a bundle",
     [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<ReportArguments>();
       app.add_option("results", arguments->results,
                      "a folder that `trainmark run` has written, or a bundle (.tar.zst)")
           ->required();
       std::vector<CLI::Option*> of_reports;  // a bundle has the same reports for everybody
       of_reports.push_back(app.add_option("--format", arguments->format, format_help()));
       of_reports.push_back(app.add_option("--lang", arguments->language,
                                           "en or zh (default: en); html pages contain both"));
       of_reports.push_back(
           add_path_option(app, "--out", arguments->out,
                           "write to this file (html on a terminal: report.html in the folder); "
                           "plots of md go to a folder beside it"));
       CLI::Option* bundle = add_path_option(
           app, "--bundle", arguments->bundle,
           "write reports, journal, logs, suite and environment to this .tar.zst, for others to "
           "check and repeat");
       app.add_flag("--keep-secrets", arguments->keep_secrets,
                    "with --bundle: even if the journal holds passwords, tokens or keys")
           ->needs(bundle);
       of_reports.push_back(add_path_option(
           app, "--reference", arguments->reference,
           "published figures to show beside the measured ones in html, md and matrix (a CSV, see "
           "docs/reports.md)"));
       of_reports.push_back(app.add_flag("--details", arguments->details,
                                         "list every warning of every cell below the table"));
       of_reports.push_back(add_price_option(app, arguments->price));
       for (CLI::Option* option : of_reports) bundle->excludes(option);
       add_colour_option(app, arguments->colour);
       add_examples(app,
                    {{"trainmark report results/quick-TIME", "a table"},
                     {"trainmark report results/quick-TIME --format html",
                      "a page with charts, in one file"},
                     {"trainmark report results/quick-TIME --format md --lang zh --out report.md",
                      "Markdown, in Chinese"},
                     {"trainmark report results/quick-TIME --bundle quick.tar.zst",
                      "all that others need to check it"}});
       return [arguments] { return report(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
