#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "data/formats/data_set.h"
#include "data/making/subject.h"

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
  std::optional<Attainable> attainable;  // likewise
  std::int64_t evaluation_items = 0;     // of its evaluation split, where it has one
  std::int64_t other_evaluation_items = 0;
};

/// Looks at a sample of the items, evenly spread; headers are read, nothing is decoded.
DataSetDescription describe_data_set(const DataSet& set, const std::filesystem::path& path);

}  // namespace trainmark::data
