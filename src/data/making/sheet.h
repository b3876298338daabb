#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "data/formats/data_set.h"

namespace trainmark::data {

struct SheetSettings {
  std::int64_t items = 16;
  std::uint64_t seed = 1;
  int width = 0;  // of each picture; 0: as the workload of the kind trains it
  int height = 0;
  int threads = 1;
};

/// A contact sheet as PNG: pictures of a data set as the pipeline hands them to training, cut and
/// turned by the seed. Of image-pairs both sides, of pixels with classes these in colours, too.
/// Throws UserError where a data set has no pictures, or where nothing of it can be read.
Bytes contact_sheet(const std::shared_ptr<const DataSet>& set, const SheetSettings& settings);

}  // namespace trainmark::data
