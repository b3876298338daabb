#include "report/history/history.h"

#include <memory>

#include "base/option_checks.h"
#include "base/output.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/output_path.h"
#include "cli/show_report.h"
#include "report/bundle/bundle.h"

namespace trainmark {

namespace {

struct HistoryArguments {
  std::vector<std::string> paths;
  std::string format = "table", language = "en", out, colour = "auto";
  double same = 1;  // percent
};

int history(const HistoryArguments& arguments) {
  const HistoryFormat& format = format_named<HistoryFormat>(arguments.format);
  std::vector<std::unique_ptr<OpenedResults>> opened;
  std::vector<HistoryJournal> journals;
  std::vector<std::string> inputs;
  for (const std::string& given : arguments.paths) {
    for (const std::string& path : journals_in(given)) {
      inputs.push_back(path);
      opened.push_back(std::make_unique<OpenedResults>(path));
      journals.push_back(
          history_journal(path, opened.back()->contents(), opened.back()->results()));
    }
  }
  for (const RepeatedJournal& repeated : drop_repeated(journals))
    say("{} is the same journal as {}: counted once", printable(repeated.name),
        printable(repeated.counted));
  if (!arguments.out.empty()) check_output_file("--out", arguments.out, inputs);
  if (journals.size() < 2)
    throw UserError(
        "a history needs at least two different journals; give more folders of results");
  ChangeLimits limits;
  limits.same = arguments.same / 100;
  HistoryInput input = make_history(std::move(journals), limits);
  if (input.cells.empty())
    throw UserError("no cell is in two of these journals: there is no history");
  input.language = parse_language(arguments.language);
  input.options = terminal_options(arguments.colour);
  if (arguments.out.empty()) {
    format.write(input, standard_output());
    standard_output().flush();
    return exit_well;
  }
  save_with_plots(arguments.out, {}, [&](const ReportOptions& options, std::ostream& out) {
    input.options = options;
    format.write(input, out);
  });
  return exit_well;
}

const Registration<Subcommand> history_command(
    "history",
    {"show many journals over time: where did a cell become faster or slower?",
     [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<HistoryArguments>();
       app.add_option("results", arguments->paths,
                      "folders of results, bundles, or folders of them (results/)")
           ->required();
       app.add_option("--same", arguments->same,
                      "differences within this many percent count as the same (default: 1)")
           ->check(number_from(0.01, 50));
       app.add_option("--format", arguments->format,
                      join(Registry<HistoryFormat>::names(), ", ") + " (default: table)");
       app.add_option("--lang", arguments->language, "en or zh (default: en)");
       add_path_option(app, "--out", arguments->out,
                       "write to this file; plots of md go to a folder beside it");
       add_colour_option(app, arguments->colour);
       add_examples(app, {{"trainmark history results/", "all journals of a folder"},
                          {"trainmark history results/ --format html --out history.html",
                           "a page with charts"}});
       return [arguments] { return history(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
