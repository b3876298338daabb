#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/formats/splits.h"

namespace trainmark::data {

/// The first bytes of a regular file, at most so many; empty where there are none.
std::string beginning_of(const std::filesystem::path& file, std::size_t bytes);

/// "train-00012.tsv"
std::string shard_name(Split split, std::size_t number, std::string_view ending);

}  // namespace trainmark::data
