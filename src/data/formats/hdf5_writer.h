#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// A dataset to be written: signed whole numbers, little-endian, row after row.
struct Hdf5Column {
  std::string name;
  std::uint64_t element_bytes = 4;
  std::uint64_t width = 0;  // 0: one dimension
  Bytes numbers;

  std::uint64_t row_bytes() const { return element_bytes * (width == 0 ? 1 : width); }
  std::uint64_t rows() const { return numbers.size() / row_bytes(); }
};

enum class Hdf5Packing { in_one_piece, deflated };

/// The bytes of a file with at most eight datasets in its root group, in the oldest version of the
/// format, which every release of HDF5 reads. Deflated ones have chunks of whole rows.
std::string make_hdf5(std::vector<Hdf5Column> columns, Hdf5Packing packing);

}  // namespace trainmark::data
