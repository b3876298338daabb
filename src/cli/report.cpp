#include <fmt/format.h>

#include <iostream>

#include "base/text.h"
#include "cli/command.h"
#include "cli/show_report.h"
#include "journal/journal.h"
#include "report/report.h"

namespace trainmark {

namespace {

struct ReportArguments {
  std::string folder, format = "table", language = "en", out;
};

int report(const ReportArguments& arguments) {
  const Language language = parse_language(arguments.language);
  const JournalContents contents = read_journal(arguments.folder);
  for (const auto& line : contents.damage) fmt::print(stderr, "journal: {}\n", line);
  if (arguments.out.empty()) {
    show_report(contents, arguments.format, language, std::cout);
  } else {
    save_report(contents, arguments.format, language, arguments.out);
  }
  return exit_well;
}

const Registration<Subcommand> registered(
    "report",
    {"tables and reports from a folder of results", [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<ReportArguments>();
       app.add_option("folder", arguments->folder, "what `trainmark run` has written")->required();
       app.add_option("--format", arguments->format,
                      join(Registry<ReportFormat>::names(), ", ") + " (default: table)");
       app.add_option("--lang", arguments->language, "en or zh (default: en)");
       app.add_option("--out", arguments->out, "write into this file");
       return [arguments] { return report(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
