#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "data/formats/input_file.h"
#include "data/pictures/picture.h"

namespace trainmark::data {

/// Throws UserError with the file's path.
[[noreturn]] void refuse_hdf5(const InputFile& file, const std::string& why);

/// The numbers and texts of one block of a file's metadata, one after another. The file is refused
/// where a block lies outside of it, or ends before what is asked of it.
class Hdf5Cursor {
 public:
  static constexpr std::uint64_t most_bytes = 1 << 22;  // of one block

  Hdf5Cursor(const InputFile& file, std::uint64_t at, std::uint64_t bytes);

  std::uint64_t left() const { return end_ - at_; }
  std::uint64_t number(int bytes);  // unsigned, little-endian; at most eight bytes
  std::uint64_t address() { return number(8); }
  std::string text(std::uint64_t bytes);
  std::string text_until_null();  // or until the end of the block
  void skip(std::uint64_t bytes);
  void expect(std::string_view signature);

  /// The next bytes as a block of their own.
  Hdf5Cursor part(std::uint64_t bytes);

 private:
  void need(std::uint64_t bytes) const;

  const InputFile* file_;
  std::shared_ptr<const Bytes> block_;
  std::uint64_t at_ = 0;
  std::uint64_t end_;
};

}  // namespace trainmark::data
