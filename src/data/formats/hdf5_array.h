#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/formats/band_cache.h"
#include "data/formats/hdf5_chunks.h"
#include "data/formats/hdf5_filters.h"
#include "data/formats/hdf5_objects.h"
#include "data/formats/input_file.h"

namespace trainmark::data {

/// A dataset of whole numbers with one or two dimensions, read row by row: the part of HDF5 that
/// data sets of tokens are made of. It may lie in one piece, or in chunks that are packed with
/// deflate.
class Hdf5Array {
 public:
  /// The file must live longer. Throws UserError with its path and the dataset's name.
  Hdf5Array(const InputFile& file, const std::string& name, std::uint64_t address);
  Hdf5Array(const Hdf5Array&) = delete;  // caches know it by its place
  Hdf5Array& operator=(const Hdf5Array&) = delete;

  std::uint64_t rows() const { return grid_.rows; }
  std::uint64_t width() const { return grid_.width; }

  /// Throws BadItem where the row is damaged, or has a number that is beyond 32 bits.
  void read_row(std::uint64_t row, BandCache& cache, std::vector<std::int32_t>& to) const;

 private:
  void take_shape(Hdf5Cursor body);
  void take_type(Hdf5Cursor body);
  void take_layout(Hdf5Cursor body);
  void check_layout();
  [[noreturn]] void refuse(const std::string& why) const;
  std::uint64_t row_bytes() const { return grid_.width * element_bytes_; }
  Bytes unpack_band(std::uint64_t band) const;
  void take_numbers(BytesView bytes, std::vector<std::int32_t>& to) const;

  const InputFile& file_;
  std::string name_;
  Hdf5Grid grid_;
  std::uint64_t element_bytes_ = 0;
  bool signed_ = true;
  bool chunked_ = false;
  std::uint64_t address_ = hdf5_nowhere;  // of the piece, or of the tree of chunks
  std::uint64_t stored_bytes_ = 0;        // of the piece
  std::vector<Hdf5Filter> filters_;
  std::vector<Hdf5Chunk> chunks_;
};

}  // namespace trainmark::data
