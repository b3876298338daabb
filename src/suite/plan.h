#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/cell.h"
#include "protocol/arguments.h"
#include "suite/catalog.h"
#include "suite/suite.h"

namespace trainmark {

/// The most cells a suite may ask for: at three runs of ten seconds this would take a month.
constexpr std::size_t most_cells = 100'000;

struct PlannedCell {
  Cell cell;
  std::string unit;       // what the workload counts: images, sequences, …
  int default_batch = 0;  // where the search for the largest batch begins
  /// Of a command that was not written for Trainmark: who says each dimension of the cell, such as
  /// "the matrix" or "s.yaml:7". What is not there, its log has to tell.
  std::map<std::string, std::string> said = {};
  Shapes default_shapes = {};  // of the size; the search for the largest shape begins there
};

struct SkippedCell {
  Cell cell;
  std::string reason;
  /// Another machine could measure it: this one lacks the framework, the device or enough of them.
  bool lacking = false;
};

struct Plan {
  std::vector<PlannedCell> cells;
  std::vector<SkippedCell> skipped;  // asked for by name, but not possible here
  std::vector<std::string> notes;    // exclusions that match nothing, and the like

  /// Is nothing to be measured, for what this machine lacks? The table of such a suite is empty,
  /// and says why.
  bool waits_for_a_machine() const;
};

/// The frameworks that its matrix names, without their modes. Empty where it asks for `all`.
std::set<std::string> named_frameworks(const Suite& suite);

/// Does the catalog hold every workload and size that the matrix names?
bool knows_names(const Catalog& catalog, const Suite& suite);

/// Expands a suite's matrix. Dimensions that a block leaves out: workload and framework `all` that
/// can be used here, size `full`, precision `fp32`, batch the trainer's own (`default`), device
/// `auto` (cuda where it can be used, else cpu), accumulate 1, scale 1n1g.
///
/// Throws UserError with file:line for an unknown name, a cell that appears twice, too many cells,
/// or none at all. Without a cell that can be measured here it is a plan nevertheless where another
/// machine could.
Plan make_plan(const Suite& suite, const Catalog& catalog);

/// Keeps the cells that match one of the patterns: a pattern without wildcards matches any part of
/// the cell's key, one with `*` or `?` the whole key. Throws UserError where nothing is left, as
/// make_plan does.
void keep_only(Plan& plan, const std::vector<std::string>& patterns);

/// Throws UserError where nothing of the plan can be measured here, whatever it is for.
void refuse_empty(const Suite& suite, const Plan& plan);

/// The words after the program that ask a trainer for this cell (docs/protocol.md). `data`: where
/// its data set lies, if it has one. `quality`: where it is trained to one.
std::vector<std::string> trainer_arguments(const Cell& cell, std::uint64_t seed,
                                           std::size_t most_steps,
                                           const std::filesystem::path& data = {},
                                           const std::optional<QualityArguments>& quality = {});

/// Room for every cell: the most nodes, and the most ranks of a node.
Scale largest_scale(const Plan& plan);

}  // namespace trainmark
