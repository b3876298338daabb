#pragma once

#include "data/formats/data_set.h"

namespace trainmark::data {

/// The items of both sides, where there are two: one behind the other.
inline std::int64_t size_of_sides(const DataSet& set) {
  return set.size() + set.other_size();
}

inline void read_side(const DataSet& set, std::int64_t index, Item& item) {
  item.name.clear();  // else a failure would be put down to the one before
  if (index < set.size())
    set.read(index, item);
  else
    set.read_other(index - set.size(), item);
}

}  // namespace trainmark::data
