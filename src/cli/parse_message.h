#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace trainmark {

/// What is wrong with a command line, and what to write instead: the library's own messages name
/// its types and not what a user has written.
std::string parse_message(const CLI::ParseError& error, const CLI::App& app);

/// The command line that shows the help of the command that was meant.
std::string help_line(const CLI::App& app);

}  // namespace trainmark
