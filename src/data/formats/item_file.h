#pragma once

#include <cstdint>
#include <filesystem>

#include "data/formats/input_file.h"
#include "data/pictures/picture.h"

namespace trainmark::data {

/// No item of a data set is longer: a length beyond it is damage.
inline constexpr std::uint64_t most_item_bytes = std::uint64_t{256} << 20;

/// The whole of a file that is one item. Throws BadItem where it cannot be read, SystemError where
/// the machine refuses: that would befall every other item, too.
void read_item_file(const std::filesystem::path& path, Bytes& to);

/// A part of a file that is one item. Throws BadItem where the file ends before, or where it would
/// be longer than any item.
void read_item_at(const InputFile& file, std::uint64_t begin, std::uint64_t size, Bytes& to);

}  // namespace trainmark::data
