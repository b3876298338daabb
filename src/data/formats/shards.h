#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "data/formats/input_file.h"

namespace trainmark::data {

/// The files of a data set that is cut into shards.
class Shards {
 public:
  /// Throws UserError where one cannot be read.
  explicit Shards(const std::vector<std::filesystem::path>& paths);

  std::size_t count() const { return files_.size(); }
  const InputFile& operator[](std::size_t shard) const { return files_[shard]; }

 private:
  std::deque<InputFile> files_;  // which cannot be moved
};

/// Whether a file belongs to a format, by its name.
using FitsName = bool (*)(const std::string& name);

/// The shards that a path names: itself, or the files of a folder that fit, sorted; where there are
/// some for training and others, those for training. Throws UserError where the folder cannot be
/// read.
std::vector<std::filesystem::path> shards_at(const std::filesystem::path& path, FitsName fits);

/// Whether there are any; stops at the first.
bool has_shards(const std::filesystem::path& path, FitsName fits);

}  // namespace trainmark::data
