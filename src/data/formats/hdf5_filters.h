#pragma once

#include <cstdint>
#include <vector>

#include "data/formats/hdf5_cursor.h"
#include "data/pictures/picture.h"

namespace trainmark::data {

/// What was done to the chunks of a dataset when they were written.
struct Hdf5Filter {
  enum Kind : std::uint16_t { deflate = 1, shuffle = 2, fletcher32 = 3 };
  std::uint16_t kind;
};

/// From the message that lists them; throws UserError that names those that are not read here.
std::vector<Hdf5Filter> read_hdf5_filters(const InputFile& file, Hdf5Cursor body);

/// Undoes the filters, the last one first, but for those whose bits are set in `skipped`. Throws
/// BadItem where the chunk is damaged, or does not have `bytes` bytes in the end.
Bytes undo_hdf5_filters(const std::vector<Hdf5Filter>& filters, std::uint32_t skipped, Bytes stored,
                        std::uint64_t bytes, std::uint64_t element_bytes);

}  // namespace trainmark::data
