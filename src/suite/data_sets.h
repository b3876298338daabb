#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/cell.h"
#include "suite/suite.h"

namespace trainmark {

/// What `data` says of data that are made up and lie on the device already.
inline constexpr const char* synthetic_data = "synthetic";

/// What `input` says: the step alone, on made-up data; the pipeline alone; or both together.
namespace input_way {
inline constexpr const char* all = "default";
inline constexpr const char* step = "step";
inline constexpr const char* pipeline = pipeline_only;
inline constexpr const char* both = "both";
}  // namespace input_way

/// What a data set is called in cells and reports: the last part of its path, so that the same set
/// has one name on all machines.
std::string data_name(const std::string& path);

/// Where the data sets of a suite lie, by their names. Paths are relative to the suite's folder,
/// those of the command line to the current one. Throws UserError with file:line where nothing lies
/// there, and for two sets of one name.
std::map<std::string, std::filesystem::path> data_sets(const Suite& suite);

/// The cells that a wanted one stands for: where it names a data set and no way, all three, so that
/// the costs of its input can be told. None for ways that need a data set and have none. `suite`:
/// one that trains to a quality knows one way only.
std::vector<Cell> ways_of(const Cell& wanted, const Suite& suite);

}  // namespace trainmark
