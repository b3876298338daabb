#pragma once

#include <string>
#include <vector>

namespace trainmark {

/// The values of an option or argument that can be told beforehand: names of suites, formats,
/// languages. None where it takes a path, a number or any text.
std::vector<std::string> known_values(const std::string& command, const std::string& option);

/// Every "COMMAND OPTION" that `known_values` knows; "* OPTION" is that of every command. A test
/// holds them against the options that there are.
std::vector<std::string> options_with_known_values();

/// The suites that `trainmark run` knows by name.
std::vector<std::string> suite_names();

/// What `trainmark setup` can install.
std::vector<std::string> installable_frameworks();

/// What `trainmark list` can list.
std::vector<std::string> list_names();

}  // namespace trainmark
