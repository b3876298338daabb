#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// Where a data set is written before it is whole: a hidden folder inside the one it is meant for.
/// Nothing is left of it where it is never published.
class StagedFolder {
 public:
  /// Throws SystemError where the machine refuses.
  explicit StagedFolder(std::filesystem::path folder);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& path() const { return stage_; }

  /// Waits until the disk has everything, and gives it its own names. All of them or none. Folders
  /// that are there already, with another split, get what they do not have.
  void publish();

 private:
  std::filesystem::path folder_, stage_;
};

/// A new file that is written from its beginning to its end. Throws SystemError where the machine
/// refuses, Interrupted where a signal was noted.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(BytesView bytes);
  void write(std::string_view bytes);
  std::uint64_t written() const { return written_; }

  /// Network file systems report a full disk only here.
  void close();

 private:
  void flush();

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string waiting_;  // small pieces, to be written together
  std::uint64_t written_ = 0;
};

}  // namespace trainmark::data
