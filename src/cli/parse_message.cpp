#include "cli/parse_message.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/app.h"
#include "cli/command.h"

namespace trainmark {

namespace {

const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_command(*chosen.front());
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// "trainmark compare BASE NEW": with arguments, and options that are needed.
std::string usage_of(const CLI::App& command) {
  std::string line = "trainmark " + words_of(command);
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional() && !option->get_required()) continue;
    std::string name = option->get_single_name();
    for (char& letter : name)
      if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 32);
    if (!option->get_positional()) line += " --" + option->get_single_name();
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

/// Of a command that has commands of its own: none was named, or one that it does not have.
std::string missing_part(const CLI::App& command) {
  std::vector<std::string> parts;
  for (const CLI::App* part : command.get_subcommands({})) parts.push_back(part->get_name());
  for (const std::string& word : command.remaining())
    return fmt::format("`trainmark {}` has no command '{}'; {}", words_of(command), printable(word),
                       suggest(word, parts));
  return fmt::format("a command is missing; write trainmark {} COMMAND, with one of {}",
                     words_of(command), join(parts, ", "));
}

/// The name in front of a message of the library: "--rounds" of "--rounds: 1 required INT missing".
std::string name_in(const std::string& message) {
  return printable(message.substr(0, message.find(':')));
}

/// The two options of "--commands requires --dry-run".
std::pair<std::string, std::string> names_around(const std::string& message,
                                                 std::string_view relation) {
  const std::size_t middle = message.find(relation);
  TRAINMARK_ASSERT(middle != std::string::npos);
  return {message.substr(0, middle), message.substr(middle + relation.size())};
}

std::string alone_message(const std::string& message) {
  const auto [given, missing] = names_around(message, " requires ");
  return fmt::format("{} does nothing without {}; write both", given, missing);
}

std::string exclusion_message(const std::string& message) {
  const auto [one, other] = names_around(message, " excludes ");
  return fmt::format("{} and {} exclude each other; give one of them", one, other);
}

}  // namespace

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& [name, command] : Registry<Subcommand>::all())
    if (!command.internal) names.push_back(name);
  return names;
}

std::string help_line(const CLI::App& app) {
  const CLI::App& command = chosen_command(app);
  return &command == &app ? "trainmark --help"
                          : fmt::format("trainmark {} --help", words_of(command));
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
  if (required && !command.get_subcommands({}).empty()) return missing_part(command);
  if (required)
    return fmt::format("'{}' is missing; write {}", printable(words.substr(0, words.find(' '))),
                       usage_of(command));
  if (mismatch && words.ends_with("missing"))
    return fmt::format("{} needs a value", name_in(words));
  if (mismatch) return fmt::format("{} is given twice", name_in(words));
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) return alone_message(words);
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) return exclusion_message(words);
  return printable(words, 1000);
}

}  // namespace trainmark
