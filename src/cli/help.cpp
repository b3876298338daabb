#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/app.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/help_text.h"
#include "cli/show_report.h"

namespace trainmark {

namespace {

int help(const std::vector<std::string>& words) {
  const auto app = shown_app();
  const CLI::App* command = app.get();
  for (const std::string& word : words) {
    std::vector<std::string> known;
    for (const CLI::App* other : shown_commands(*app))
      if (other->get_parent() == command) known.push_back(other->get_name());
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw UserError(
          fmt::format("there is no command '{}'; {}", printable(word), suggest(word, known)));
    command = command->get_subcommand(word);
  }
  std::string above = command->get_parent() == nullptr ? "" : app->get_name();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) above += " " + words[i];
  print_out("{}", fitted_help(command->help(above), terminal_options().width));
  return exit_well;
}

const Registration<Subcommand> help_command(
    "help", {"the options of a command, with examples", [](CLI::App& app) -> std::function<int()> {
               auto words = std::make_shared<std::vector<std::string>>();
               app.add_option("command", *words,
                              "such as run, or data make (default: all, one line each)");
               add_examples(app, {{"trainmark help run", "the same as trainmark run --help"}});
               return [words] { return help(*words); };
             }});

}  // namespace

}  // namespace trainmark
