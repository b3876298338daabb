#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "data/formats/input_file.h"
#include "data/formats/splits.h"

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

/// The shards of a split, sorted. For training: the file itself, or the files of a folder (or else
/// of `train` in it) that fit, but for those called as evaluation splits are. For evaluation: those
/// (or else the files in `val`), or the one beside a file for training; empty where there are none.
/// Throws UserError where a folder cannot be read.
std::vector<std::filesystem::path> shards_at(const std::filesystem::path& path, FitsName fits,
                                             Split split = Split::training);

/// The folder that the shards of a split are written into, which is made: that of the data set, or
/// `val` in it.
std::filesystem::path folder_for_shards(const std::filesystem::path& data_set, Split split);

/// Whether there are any, of whatever split; stops at the first.
bool has_shards(const std::filesystem::path& path, FitsName fits);

}  // namespace trainmark::data
