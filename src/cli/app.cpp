#include "cli/app.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/examples.h"

namespace trainmark {

namespace {

/// Whether a value is whole or not is no matter of help: N stands for all numbers.
void name_numbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string kind = option->get_type_name();
    if (kind == "INT" || kind == "UINT" || kind == "FLOAT") option->type_name("N");
  }
  for (CLI::App* part : app.get_subcommands({})) name_numbers(*part);
}

/// Descriptions say which options go together; the library's lists of them make lines too long.
class PlainFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_opts(option);
    return text.substr(0, std::min(text.find(" Needs:"), text.find(" Excludes:")));
  }
};

}  // namespace

std::unique_ptr<CLI::App> make_app(std::function<int()>& chosen) {
  auto app = std::make_unique<CLI::App>("Trainmark measures how fast deep-learning training runs.",
                                        "trainmark");
  app->formatter(std::make_shared<PlainFormatter>());
  app->set_version_flag("-V,--version", fmt::format("trainmark {} ({})", version(), commit()));
  app->require_subcommand(1);
  add_examples(*app,
               {{"trainmark run", "measure the suite `quick` and write a report"},
                {"trainmark run --dry-run", "show what would be measured"},
                {"trainmark report results/quick-TIME --format html", "a page for a browser"},
                {"trainmark compare results/before results/after", "faster or slower?"},
                {"trainmark measure -- python3 train.py", "any program that prints its speed"},
                {"trainmark extract logs/", "throughput from the logs of other programs"},
                {"trainmark help run", "the options of a command"}},
               "Exit codes: 0 success; 1 a measurement or gate failed, or something could not be "
               "written; 2 bad input; 130 Ctrl-C (128 + the signal).\n"
               "Results go to results/ in the current folder, or to $TRAINMARK_RESULTS.");
  for (const auto& [name, command] : Registry<Subcommand>::all()) {
    CLI::App* sub = app->add_subcommand(name, command.summary);
    sub->footer("");  // it would inherit the one above
    if (command.internal) sub->group("");
    sub->callback([&chosen, action = command.add(*sub)] { chosen = action; });
  }
  name_numbers(*app);
  return app;
}

std::unique_ptr<const CLI::App> shown_app() {
  static std::function<int()> nothing;  // is never parsed, and so never chosen
  return make_app(nothing);
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const std::string& name : command_names()) {
    commands.push_back(app.get_subcommand(name));
    for (const CLI::App* part : commands.back()->get_subcommands({})) commands.push_back(part);
  }
  return commands;
}

std::string words_of(const CLI::App& command) {
  const CLI::App* above = command.get_parent();
  if (above == nullptr || above->get_parent() == nullptr) return command.get_name();
  return words_of(*above) + " " + command.get_name();
}

const CLI::App& command_called(const CLI::App& app, const std::string& words) {
  const CLI::App* command = &app;
  for (const std::string& word : split(words, ' ')) command = command->get_subcommand(word);
  return *command;
}

}  // namespace trainmark
