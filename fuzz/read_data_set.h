#pragma once

#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "data/formats/data_set.h"
#include "scratch.h"

namespace trainmark::fuzz {

/// Opens a data set whose files have so many bytes in all, and reads every item: it is refused, or
/// each item is there or bad; labels are classes, and nothing is longer than where it comes from.
inline void read_data_set(const char* format, const std::filesystem::path& path, std::size_t size) {
  try {
    const auto set = Registry<data::Format>::find(format)->open(path, data::Split::training);
    data::Item item;
    for (std::int64_t index = 0; index < set->size(); ++index) {
      try {
        set->read(index, item);
      } catch (const data::BadItem&) {
        continue;
      }
      if (item.label < 0 || item.label >= set->classes()) std::abort();
      if (item.picture.size() > size) std::abort();
    }
  } catch (const UserError&) {
  }
}

}  // namespace trainmark::fuzz
