#include <fmt/format.h>

#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/app.h"
#include "cli/command.h"
#include "cli/examples.h"

namespace trainmark {

namespace {

int help(const std::string& name) {
  const auto app = shown_app();
  if (name.empty()) {
    print_out("{}", app->help());
    return exit_well;
  }
  const auto known = command_names();
  if (Registry<Subcommand>::find(name) == nullptr) {
    throw UserError(
        fmt::format("there is no command '{}'; {}", printable(name), suggest(name, known)));
  }
  print_out("{}", app->get_subcommand(name)->help(app->get_name()));
  return exit_well;
}

const Registration<Subcommand> help_command(
    "help", {"the options of a command, with examples", [](CLI::App& app) -> std::function<int()> {
               auto name = std::make_shared<std::string>();
               app.add_option("command", *name, "such as run (default: all, one line each)");
               add_examples(app, {{"trainmark help run", "the same as trainmark run --help"}});
               return [name] { return help(*name); };
             }});

}  // namespace

}  // namespace trainmark
