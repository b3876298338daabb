#pragma once

#include <cstdint>

namespace trainmark::data {

inline constexpr std::int32_t bert_vocabulary = 30522;

/// The tokens of BERT that are no words. Small vocabularies have no room for BERT's numbers.
struct Marks {
  std::int32_t begin, end, mask, first_word;

  explicit Marks(std::int32_t vocabulary)
      : begin(vocabulary > 2000 ? 101 : 1),
        end(begin + 1),
        mask(begin + 2),
        first_word(vocabulary > 2000 ? 1000 : 4) {}
};

}  // namespace trainmark::data
