#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace trainmark::data {

/// A regular file that any number of threads read at any place. It is not mapped into memory: a
/// mapped file that somebody cuts short ends the process that reads it.
///
/// Data sets of thousands of shards have more files than a process may open. The first ones stay
/// open; the others are opened for every read.
class InputFile {
 public:
  enum class Opened { first_ones_stay, stays };

  /// `stays`: for those who read it from one end to the other, and are done with it then. Throws
  /// UserError where the path is no file that can be read.
  explicit InputFile(std::filesystem::path path, Opened opened = Opened::first_ones_stay);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string name() const;  // without its folder, fit to be printed
  std::uint64_t size() const { return size_; }

  /// Fills `to` with the bytes from `at` on. Throws BadItem where the file ends before that,
  /// SystemError where the disk fails.
  void read(std::uint64_t at, std::span<std::uint8_t> to) const;

 private:
  std::filesystem::path path_;
  std::uint64_t size_ = 0;
  Opened opened_;
  int descriptor_ = -1;  // -1: opened for every read
};

}  // namespace trainmark::data
