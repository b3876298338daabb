#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "base/quality_task.h"
#include "suite/container.h"
#include "suite/dimensions.h"
#include "suite/foreign_command.h"
#include "suite/hosts.h"
#include "suite/yaml_reader.h"

namespace trainmark {

/// One block of a matrix: the values of each dimension as written. A dimension that is not there
/// takes its default (see plan.h).
struct Matrix {
  std::map<std::string, std::vector<Placed<std::string>>> values;
  Place place;
};

/// Cells that match every dimension named here are left out.
struct Exclusion {
  DimensionValues values;
  Place place;
};

/// What a suite says about a framework beyond its name.
struct FrameworkSettings {
  std::vector<std::string> program;    // instead of the framework's own
  std::vector<std::string> arguments;  // added to every command
  std::map<std::string, std::string> environment;
  std::optional<Placed<std::string>> python;  // the interpreter, instead of that of .venv
  std::optional<Container> container;
  std::optional<ForeignCommand> foreign;
  Place place;

  /// Arguments and values of the environment: a command's words in braces may stand in each.
  std::vector<std::string> texts() const;
};

/// A suite file, checked for form. Names of workloads, rules and launchers are checked later, by
/// those who know them.
struct Suite {
  std::string name;
  std::string title;
  std::string text;  // the file, word for word
  std::string file;

  std::vector<Matrix> matrices;
  std::vector<Exclusion> exclusions;

  Placed<std::string> rule{"adaptive", {}};
  std::map<std::string, Placed<double>> rule_values;
  /// The command line changed a dimension of every block: blocks may be alike now.
  bool has_overrides = false;
  std::optional<int> rounds;         // else the rule's own
  std::optional<double> budget;      // seconds: rounds that would not fit are left out
  std::optional<double> time_limit;  // seconds per run, set-up included
  std::uint64_t seed = 1;
  Placed<std::string> launcher{"local", {}};
  std::vector<Host> hosts;                      // else this machine, or those of the scheduler
  std::vector<std::string> launcher_arguments;  // for mpirun or srun
  std::vector<std::string> job_arguments;       // for sbatch
  std::map<std::string, FrameworkSettings> frameworks;
  std::vector<Placed<std::string>> dialects;  // files or folders that describe dialects of logs

  /// Cells are trained to a quality instead of measured for their speed.
  bool trains_to_quality() const { return rule.value == quality_rule; }
  /// Seconds: what it says, or what is usual.
  double run_limit() const { return time_limit.value_or(trains_to_quality() ? 86400 : 600); }
};

/// Throws UserError with file:line, what was expected, and the nearest known name.
Suite parse_suite(const std::string& text, const std::string& file);

/// A path, or the name of a suite in `home`/suites. Throws UserError naming the nearest suite.
Suite load_suite(const std::string& path_or_name, const std::filesystem::path& home);

/// The names and titles of the suites in a folder.
std::vector<std::pair<std::string, std::string>> list_suites(const std::filesystem::path& home);

/// Changes on the command line: each replaces a dimension of every block.
void override_dimension(Suite& suite, const std::string& dimension,
                        const std::vector<std::string>& values);

}  // namespace trainmark
