#pragma once

#include "data/formats/data_set.h"

namespace trainmark::data {

/// Empties an item that is to be filled again, and keeps its memory.
inline void freshen(Item& item) {
  item.name.clear();
  item.picture.clear();
  item.decoded.width = item.decoded.height = 0;
  item.decoded.pixels.clear();
  item.second.clear();
  item.label = -1;
  item.tokens.clear();
  item.target.clear();
  item.positions.clear();
  item.split = item.follows = 0;
}

}  // namespace trainmark::data
