#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "data/formats/input_file.h"
#include "data/pictures/picture.h"

namespace trainmark::data {

/// Small parts of a file, one behind the other, for those who make an index. A page is read at
/// once: the disk is asked for no less, small items are read together, and of large ones little
/// more than what is wanted.
class FileWindow {
 public:
  static constexpr std::size_t most = 4096;  // bytes that can be seen at once

  explicit FileWindow(const InputFile& file) : file_(file) {}

  std::uint64_t size() const { return file_.size(); }

  /// So many bytes from a place on, or fewer where the file ends. They hold until the next call.
  BytesView see(std::uint64_t begin, std::size_t size) {
    const std::uint64_t left = begin < file_.size() ? file_.size() - begin : 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>({left, size, most}));
    if (size == 0) return {};
    if (begin < begin_ || begin + size > begin_ + held_) {
      begin_ = begin;
      held_ = static_cast<std::size_t>(std::min<std::uint64_t>(left, most));
      file_.read(begin, std::span(page_).first(held_));
    }
    return BytesView(page_).subspan(begin - begin_, size);
  }

 private:
  const InputFile& file_;
  std::array<std::uint8_t, most> page_{};
  std::uint64_t begin_ = 0;
  std::size_t held_ = 0;
};

}  // namespace trainmark::data
