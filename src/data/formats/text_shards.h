#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark::data {

/// The files without those for validation and tests ("val", "valid", "validation", "dev", "eval" or
/// "test" is a word of their names), unless there are no others.
std::vector<std::filesystem::path> for_training(std::vector<std::filesystem::path> files);

/// The first bytes of a regular file, at most so many; empty where there are none.
std::string beginning_of(const std::filesystem::path& file, std::size_t bytes);

/// "train-00012.tsv"
std::string shard_name(std::size_t number, std::string_view ending);

}  // namespace trainmark::data
