#pragma once

#include <cstdint>
#include <span>

#include "data/pipeline/item_chances.h"

namespace trainmark::data {

/// Where a sentence is masked, and what was there. `positions` and `labels` have one place for each
/// token that may be masked; places without a token have position 0 and label -1.
struct Masked {
  std::span<std::int64_t> positions;
  std::span<std::int64_t> labels;
};

/// The token that stands for a masked one: 103, as in BERT's vocabulary, or the last of a smaller
/// one.
std::int64_t mask_token(std::int64_t vocabulary);

/// Masks as BERT does: of the chosen tokens 80 % become the mask, 10 % another token, and 10 %
/// stay. The sentence is cut into parts of the same length, and one token of each is chosen, as in
/// the synthetic workload; a sentence shorter than `most` tokens has fewer parts.
void mask_tokens(std::span<std::int64_t> tokens, std::int64_t most, std::int64_t vocabulary,
                 ItemChances& chances, const Masked& masked);

}  // namespace trainmark::data
