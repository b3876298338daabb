#include <fmt/format.h>

#include "base/output.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/output_path.h"
#include "report/published/published.h"

namespace trainmark {

namespace {

struct ImportArguments {
  std::string file, into;
};

int import_figures(const ImportArguments& arguments) {
  const std::vector<PublishedFigure> figures = read_published(arguments.file);
  check_output_folder("--into", arguments.into);
  const AddedFigures added = add_published_runs(arguments.into, figures);
  say("{}", added.text(arguments.into));
  return exit_well;
}

const Registration<Subcommand> import_command(
    "import", {"import published figures into a journal, marked as foreign",
               [](CLI::App& app) -> std::function<int()> {
                 auto arguments = std::make_shared<ImportArguments>();
                 app.add_option("file", arguments->file,
                                "a CSV of figures (docs/reports.md has its columns)")
                     ->required();
                 add_path_option(app, "--into", arguments->into,
                                 "the folder of the journal; created if missing")
                     ->required();
                 add_examples(app, {{"trainmark import published.csv --into results/published",
                                     "a journal that `report` and `compare` read"}});
                 return [arguments] { return import_figures(*arguments); };
               }});

}  // namespace

}  // namespace trainmark
