#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace trainmark {

struct Example {
  std::string line;  // as it is typed
  std::string does;
};

/// Puts examples, and what else there is to say, under the help of a command. A test reads every
/// example of every command with the program's own options.
void add_examples(CLI::App& app, const std::vector<Example>& examples,
                  const std::string& notes = "");

/// Those of a command, from its help.
std::vector<Example> examples_of(const CLI::App& app);

/// What else stands there.
std::string notes_of(const CLI::App& app);

}  // namespace trainmark
