#include "cli/parse_message.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/command.h"

namespace trainmark {

namespace {

const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// "trainmark compare BASE NEW".
std::string usage_of(const CLI::App& command) {
  std::string line = "trainmark " + command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    std::string name = option->get_name(true);
    for (char& letter : name)
      if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 32);
    line += " " + name;
  }
  return line;
}

std::string unexpected_message(const CLI::App& command) {
  const std::vector<std::string> extras = command.remaining();
  if (extras.empty()) return "too many arguments";
  for (const std::string& word : extras) {
    if (!word.starts_with("-")) continue;
    const std::string name = word.substr(0, word.find('='));
    const std::string near = nearest(name, option_names(command));
    return fmt::format("unknown option '{}'{}", printable(name),
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  }
  return fmt::format("unexpected argument '{}'; write {}", printable(extras.back()),
                     usage_of(command));
}

/// The name in front of a message of the library: "--rounds" of "--rounds: 1 required INT missing".
std::string name_in(const std::string& message) {
  return printable(message.substr(0, message.find(':')));
}

}  // namespace

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& [name, command] : Registry<Subcommand>::all())
    if (!command.internal) names.push_back(name);
  return names;
}

std::string parse_message(const CLI::ParseError& error, const CLI::App& app) {
  const CLI::App& command = chosen_command(app);
  const std::string words = error.what();
  const bool required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const bool mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unexpected_message(command);
  if (required && &command == &app)
    return "a command is missing; write trainmark COMMAND, with one of " +
           join(command_names(), ", ");
  if (required)
    return fmt::format("'{}' is missing; write {}", printable(words.substr(0, words.find(' '))),
                       usage_of(command));
  if (mismatch && words.ends_with("missing"))
    return fmt::format("{} needs a value", name_in(words));
  if (mismatch) return fmt::format("{} is given twice", name_in(words));
  return printable(words, 1000);
}

}  // namespace trainmark
