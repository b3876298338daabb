#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace trainmark {

/// The whole command line. Once it is parsed, `chosen` is what is to be done.
std::unique_ptr<CLI::App> make_app(std::function<int()>& chosen);

/// The same, to be looked at: for help, man pages and completions.
std::unique_ptr<const CLI::App> shown_app();

/// The commands that people use, in the order of their names, each followed by its own commands.
std::vector<const CLI::App*> shown_commands(const CLI::App& app);

/// How a command is called: "run", "data make".
std::string words_of(const CLI::App& command);

/// The command that is called so.
const CLI::App& command_called(const CLI::App& app, const std::string& words);

}  // namespace trainmark
