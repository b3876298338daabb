#pragma once

#include <filesystem>
#include <vector>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// An IDX file of bytes, as MNIST came in: how many there are in each direction, and the bytes.
struct IdxFile {
  std::vector<std::size_t> shape;
  Bytes bytes;
};

/// Reads all of it, packed by gzip or not. Throws UserError with the path where it is damaged, has
/// not so many directions, or is larger than 1 GiB.
IdxFile read_idx_file(const std::filesystem::path& path, std::size_t directions);

}  // namespace trainmark::data
