#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "suite/suite.h"

namespace trainmark {

/// A program that is measured from what it prints.
struct PrintedProgram {
  std::string name;  // as a framework of a suite
  std::vector<std::string> command;
  std::string folder = {};  // where it starts; empty: where trainmark was started
};

/// How such programs are read and measured, as the command line says it. Several programs are all
/// read in the same way.
struct PrintedOptions {
  std::map<std::string, std::string> facts = {};  // by their names in suites: batch, gpus, unit, …
  std::string dialect = {}, pattern = {}, scope = {}, image = {}, engine = {};
  std::optional<int> rounds = {};
  std::string rule = {};                      // empty: the usual one
  std::map<std::string, double> values = {};  // of the rule
  std::string time_limit = {};
};

/// --pattern and --scope, which every command that reads logs has.
void add_pattern_options(CLI::App& app, std::string& pattern, std::string& scope);

/// Declares the options that say how the lines are read, and what they do not say.
void add_reading_options(CLI::App& app, PrintedOptions& options);

/// Throws UserError, naming options.
void check_reading_options(const PrintedOptions& options);

/// The suite that measures them: it is kept with the results, and `trainmark run` repeats it.
Suite suite_of_programs(const std::string& name, const std::vector<PrintedProgram>& programs,
                        const PrintedOptions& options);

/// The last part of the program's name, or of the script that an interpreter gets: what people call
/// it.
std::string short_name(const std::vector<std::string>& command);

}  // namespace trainmark
