#pragma once

#include <cstdint>
#include <string>

#include "data/formats/file_window.h"

namespace trainmark::data {

/// One entry of a tar file.
struct TarMember {
  std::string name;
  bool is_file = false;     // a regular one
  std::uint64_t begin = 0;  // of its bytes in the tar file
  std::uint64_t size = 0;
  std::string first_bytes;  // of a regular one: at most a block, read with the head
};

/// The heads of a tar file, one after the other, without what they head: ustar, old V7, GNU's long
/// names, and pax records of paths and sizes. What is no file is told from files as Python's
/// tarfile does it, which WebDataset reads with.
class TarMembers {
 public:
  explicit TarMembers(const InputFile& file) : file_(file), window_(file) {}

  /// False at the end: two empty blocks, one, or the end of the file. Throws UserError with the
  /// path and the byte where a head is damaged; nothing behind it can be found. The last member may
  /// be longer than what is left of the file.
  bool next(TarMember& member);

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  std::string extension(std::uint64_t size);

  const InputFile& file_;
  FileWindow window_;
  std::uint64_t at_ = 0;
};

}  // namespace trainmark::data
