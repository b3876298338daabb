#pragma once

#include <filesystem>
#include <string>

#include "logs/grammar/dialect.h"
#include "suite/suite.h"

namespace trainmark {

/// A dialect that a user describes in a YAML file (docs/dialects.md).
struct DescribedDialect {
  std::string name;
  Dialect dialect;
};

/// UserError with file and line for what cannot be read, and for a sample in which the patterns
/// read no record.
DescribedDialect parse_dialect(const std::string& text, const std::string& file);

/// Makes the dialects of a YAML file, or of all YAML files of a folder, known by their names; those
/// that are known already stay. UserError, also for a name that another dialect has.
void add_dialects(const std::filesystem::path& file_or_folder);

/// Where a user keeps dialects: trainmark/dialects in $XDG_CONFIG_HOME, or in ~/.config. Empty
/// where there is no home.
std::filesystem::path own_dialects_folder();

/// Those of that folder, where there is one.
void add_own_dialects();

/// Those that a suite names, and those in a folder `dialects` beside it.
void add_suite_dialects(const Suite& suite);

/// The name of a dialect; where a YAML file is named instead, its dialect is added first.
std::string resolved_dialect(const std::string& name_or_file);

}  // namespace trainmark
