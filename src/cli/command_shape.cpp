#include "cli/command_shape.h"

#include <algorithm>

#include "base/text.h"
#include "cli/app.h"
#include "cli/examples.h"
#include "cli/known_values.h"

namespace trainmark {

namespace {

/// Help may have lines of its own, such as one for each format.
std::string in_one_line(const std::string& help) {
  std::string line;
  for (const std::string& part : split(help, '\n')) {
    if (!line.empty()) line += line.ends_with(":") || line.ends_with(")") ? " " : "; ";
    line += trim(part);
  }
  return line;
}

OptionShape option_shape(const CLI::App& command, const CLI::Option& option) {
  OptionShape shape;
  for (const std::string& name : option.get_snames()) shape.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) shape.names.push_back("--" + name);
  shape.is_argument = shape.names.empty();
  if (shape.is_argument) shape.names = {option.get_name(true)};
  shape.help = in_one_line(option.get_description());
  shape.takes_value = option.get_items_expected_max() > 0;
  shape.takes_several = option.get_items_expected_max() > 1;
  shape.is_required = option.get_required();
  shape.values = known_values(words_of(command), shape.names.back());
  return shape;
}

}  // namespace

CommandShape shape_of(const CLI::App& command) {
  CommandShape shape = {words_of(command), command.get_description(), notes_of(command), {}, {}};
  for (const CLI::App* part : command.get_subcommands({})) shape.parts.push_back(part->get_name());
  for (const CLI::Option* option : command.get_options())
    shape.options.push_back(option_shape(command, *option));
  std::stable_partition(shape.options.begin(), shape.options.end(),
                        [](const OptionShape& option) { return option.is_argument; });
  return shape;
}

std::vector<CommandShape> command_shapes() {
  const auto app = shown_app();
  std::vector<CommandShape> shapes;
  for (const CLI::App* command : shown_commands(*app)) shapes.push_back(shape_of(*command));
  return shapes;
}

}  // namespace trainmark
