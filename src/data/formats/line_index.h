#pragma once

#include <cstdint>
#include <vector>

#include "data/formats/input_file.h"

namespace trainmark::data {

/// Where the lines of a file lie, and how many words each has in front of its first tab and behind.
struct LineIndex {
  std::vector<std::uint64_t> begins;  // of each line in bytes, and the end of the last one
  std::vector<std::int32_t> words;
  std::vector<std::int32_t> words_behind;  // where tabs were asked for

  std::int64_t lines() const { return static_cast<std::int64_t>(words.size()); }
};

/// Reads the whole file once. What stands behind the last line end is a line, too. Throws UserError
/// where there are too many lines to remember, or where the file cannot be read to its end.
LineIndex index_lines(const InputFile& file, bool tabs);

}  // namespace trainmark::data
