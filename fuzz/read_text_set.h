#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "data/formats/data_set.h"
#include "scratch.h"

namespace trainmark::fuzz {

/// What a pipeline relies on.
inline void check_sentence(const data::DataSet& set, std::int64_t index, const data::Item& item) {
  const auto is_negative = [](std::int32_t token) { return token < 0; };
  if (item.tokens.empty() || std::ranges::any_of(item.tokens, is_negative) ||
      std::ranges::any_of(item.target, is_negative))
    std::abort();
  if (set.kind() == data::kind::sentence_pairs) {
    if (set.length(index) != std::ssize(item.target)) std::abort();
    if (set.source_length(index) != std::ssize(item.tokens)) std::abort();
    return;
  }
  if (item.target.size() != item.positions.size()) std::abort();
  if (item.split < 0 || item.split >= std::ssize(item.tokens)) std::abort();
  for (const std::int32_t position : item.positions)
    if (position < 0 || position >= std::ssize(item.tokens)) std::abort();
}

/// Opens a data set and reads from it: it is refused, or each item is valid or bad. Of sets that
/// claim many items, the first and the last ones are read.
inline void read_text_set(const char* format, const std::filesystem::path& path) {
  try {
    const auto set = Registry<data::Format>::find(format)->open(path, data::Split::training);
    constexpr std::int64_t at_each_end = 64;
    data::Item item;
    for (std::int64_t index = 0; index < set->size(); ++index) {
      if (index == at_each_end) index = std::max(index, set->size() - at_each_end);
      try {
        set->read(index, item);
      } catch (const data::BadItem&) {
        continue;
      }
      check_sentence(*set, index, item);
    }
  } catch (const UserError&) {
  }
}

}  // namespace trainmark::fuzz
