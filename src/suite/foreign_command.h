#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/cell.h"
#include "suite/dimensions.h"

namespace trainmark {

/// What a command is for certain cells: `when: [{precision: amp-fp16, arguments: [--amp]}]`.
struct CommandCase {
  DimensionValues values;              // all must match
  std::vector<std::string> command;    // instead of the usual one
  std::vector<std::string> arguments;  // added
};

/// A training program that was not written for Trainmark: any command, measured from the lines that
/// it prints.
struct ForeignCommand {
  std::vector<std::string> command;  // {batch}, {gpus}, … stand for the cell's values
  std::vector<CommandCase> cases;
  std::string folder;  // where it starts; empty: where trainmark was started

  // How its lines are read. Checked by those who know the dialects.
  Placed<std::string> dialect;  // empty: found from the lines
  Placed<std::string> pattern;
  Placed<std::string> scope;

  /// What its lines may not tell: workload, size, precision, batch, gpus, nodes, device, unit.
  std::map<std::string, Placed<std::string>> facts;

  const Placed<std::string>* fact(const std::string& name) const;
};

/// The keys of a framework that belong to a command; nothing where it has no `command`. `texts` are
/// what else is filled in for each cell.
std::optional<ForeignCommand> parse_foreign_command(YamlMap& settings,
                                                    const std::vector<std::string>& texts);

/// What stands for the words in braces.
struct CommandUse {
  Cell cell;
  std::uint64_t seed = 0;
  std::size_t most_steps = 0;
  int node = 0;  // of a job on several
};

/// The whole command of a cell, `arguments` behind it.
std::vector<std::string> words_of_command(const ForeignCommand& foreign,
                                          const std::vector<std::string>& arguments,
                                          const CommandUse& use);

/// A text with its words in braces filled in.
std::string fill_in(const std::string& text, const CommandUse& use);

/// The dimensions that change the command: others are what the program makes them, whatever a
/// matrix says.
std::set<std::string> dimensions_in(const ForeignCommand& foreign,
                                    const std::vector<std::string>& texts);

/// Does the cell have one of the values of every dimension that is named? `*` and `?` stand for
/// anything.
bool matches(const DimensionValues& values, const Cell& cell);

}  // namespace trainmark
