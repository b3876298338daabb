#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "suite/suite.h"

namespace trainmark {

/// How a suite is carried out, whoever wrote it.
struct CarryOut {
  std::vector<std::string> only = {};  // patterns of cells
  std::string out = {};                // the results' folder; empty: results/SUITE-TIME
  bool resume = false;
  bool retry_failed = false;
  bool more_cells = false;
  bool dry_run = false;
  bool commands = false;  // with dry_run: the exact command of each cell, not a table
  bool quiet = false;
  bool details = false;                     // every warning of every cell, not each kind once
  std::string price = {};                   // of an hour, for the tables at the end
  bool keep_secrets = false;                // write commands and variables word for word
  std::vector<std::string> overrides = {};  // what the command line changed, in words
  std::vector<std::string> again = {};  // the words that ask for the same; empty: there are none
};

/// Declares --keep-secrets.
void add_keep_secrets(CLI::App& app, CarryOut& options);

/// Declares --details.
void add_details(CLI::App& app, CarryOut& options);

/// Plans and measures a suite, shows the table and writes the report; or shows the plan. The exit
/// code. Throws UserError.
int carry_out(Suite suite, const CarryOut& options);

}  // namespace trainmark
