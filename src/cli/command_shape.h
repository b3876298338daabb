#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace trainmark {

/// An option or an argument of a command, as completions and man pages show it.
struct OptionShape {
  std::vector<std::string> names;  // "-C", "--repository"; of an argument its name alone
  std::string help;                // in one line
  bool is_argument = false;
  bool takes_value = false;
  bool takes_several = false;
  bool is_required = false;
  std::vector<std::string> values;  // those that are known beforehand
};

struct CommandShape {
  std::string name, summary, notes;  // "data make" is the name of one that is part of another
  std::vector<OptionShape> options;  // arguments first
  std::vector<std::string> parts;    // commands of its own, by their last word
};

/// What a command takes, from the options that it has declared.
CommandShape shape_of(const CLI::App& command);

/// Those of all commands that people use; parts of a command have shapes of their own.
std::vector<CommandShape> command_shapes();

}  // namespace trainmark
