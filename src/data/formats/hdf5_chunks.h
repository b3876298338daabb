#pragma once

#include <cstdint>
#include <vector>

#include "data/formats/input_file.h"

namespace trainmark::data {

/// A dataset cut into chunks of the same size. Those at its lower and right ends reach beyond it.
struct Hdf5Grid {
  int rank = 1;  // 1 or 2; of one dimension the width is 1
  std::uint64_t rows = 0;
  std::uint64_t width = 1;
  std::uint64_t chunk_rows = 1;
  std::uint64_t chunk_width = 1;

  std::uint64_t down() const { return (rows + chunk_rows - 1) / chunk_rows; }
  std::uint64_t across() const { return (width + chunk_width - 1) / chunk_width; }
};

struct Hdf5Chunk {
  std::uint64_t address = 0;  // 0: none
  std::uint32_t bytes = 0;    // as stored
  std::uint32_t skipped_filters = 0;
};

/// All chunks of the grid, row after row, from the tree at this address. Throws UserError where one
/// is missing, lies outside of the file, or where they claim more bytes than the file has.
std::vector<Hdf5Chunk> read_hdf5_chunks(const InputFile& file, std::uint64_t tree,
                                        const Hdf5Grid& grid);

}  // namespace trainmark::data
