#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "data/formats/data_set.h"

namespace trainmark::data {

/// The smallest, the middle and the largest of some numbers.
struct Spread {
  std::int64_t least = 0;
  std::int64_t median = 0;
  std::int64_t most = 0;
};

struct DataSetDescription {
  std::int64_t sampled = 0;              // items that were looked at
  std::int64_t unreadable = 0;           // of these
  double mean_bytes = 0;                 // of one item
  std::optional<Spread> width, height;   // of pictures
  std::optional<Spread> tokens, target;  // of sentences: their lengths
  std::string made_by;                   // of a data set that Trainmark has made
};

/// Looks at a sample of the items, evenly spread; headers are read, nothing is decoded.
DataSetDescription describe_data_set(const DataSet& set, const std::filesystem::path& path);

}  // namespace trainmark::data
