#include "data/pipeline/masking.h"

#include <algorithm>

namespace trainmark::data {

namespace {

constexpr std::int64_t mask_of_bert = 103;
constexpr double share_of_masks = 0.8;
constexpr double share_of_masks_and_others = 0.9;

}  // namespace

std::int64_t mask_token(std::int64_t vocabulary) {
  return std::min(mask_of_bert, vocabulary - 1);
}

void mask_tokens(std::span<std::int64_t> tokens, std::int64_t most, std::int64_t vocabulary,
                 ItemChances& chances, const Masked& masked) {
  std::ranges::fill(masked.positions, 0);
  std::ranges::fill(masked.labels, -1);
  const auto length = static_cast<std::int64_t>(tokens.size());
  const auto full = static_cast<std::int64_t>(masked.positions.size());
  const std::int64_t parts = std::min(length, (length * full + most - 1) / most);
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t begin = part * length / parts;
    const std::int64_t end = (part + 1) * length / parts;
    const std::int64_t position = begin + chances.integer(end - begin);
    const double what = chances.uniform(0, 1);
    const std::int64_t other = chances.integer(vocabulary);
    std::int64_t& token = tokens[static_cast<std::size_t>(position)];
    masked.positions[static_cast<std::size_t>(part)] = position;
    masked.labels[static_cast<std::size_t>(part)] = token;
    if (what < share_of_masks)
      token = mask_token(vocabulary);
    else if (what < share_of_masks_and_others)
      token = other;
  }
}

}  // namespace trainmark::data
