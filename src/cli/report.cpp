#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "cli/show_report.h"
#include "journal/journal.h"
#include "report/report.h"

namespace trainmark {

namespace {

struct ReportArguments {
  std::string folder, format = "table", language = "en", out;
};

/// Where the report goes; empty = to the standard output. A page for browsers is of no use on a
/// terminal: it goes beside the journal then.
std::filesystem::path file_for(const ReportArguments& arguments) {
  if (arguments.out.empty() && arguments.format == "html" && isatty(STDOUT_FILENO) != 0)
    return std::filesystem::path(arguments.folder) / "report.html";
  return arguments.out;
}

int report(const ReportArguments& arguments) {
  const Language language = parse_language(arguments.language);
  const JournalContents contents = read_journal(arguments.folder);
  for (const auto& line : contents.damage) fmt::print(stderr, "journal: {}\n", line);
  const std::filesystem::path file = file_for(arguments);
  if (file.empty()) {
    show_report(contents, arguments.format, language, std::cout);
  } else {
    save_report(contents, arguments.format, language, file);
    if (arguments.out.empty()) fmt::print(stderr, "report: {}\n", file.string());
  }
  return exit_well;
}

std::string format_help() {
  std::string help = "one of (default: table)";
  for (const auto& [name, format] : Registry<ReportFormat>::all())
    help += fmt::format("\n{}: {}", name, format.summary);
  return help;
}

const Registration<Subcommand> registered(
    "report",
    {"tables and reports from a folder of results", [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<ReportArguments>();
       app.add_option("folder", arguments->folder, "what `trainmark run` has written")->required();
       app.add_option("--format", arguments->format, format_help());
       app.add_option("--lang", arguments->language,
                      "en or zh (default: en); a page of html can be switched");
       app.add_option("--out", arguments->out,
                      "write into this file (html on a terminal: report.html in the folder)");
       return [arguments] { return report(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
