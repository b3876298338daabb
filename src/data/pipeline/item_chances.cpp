#include "data/pipeline/item_chances.h"

namespace trainmark::data {

namespace {

// Numbers that an item may draw; the rest of the counter's 64 bits is the item.
constexpr int draw_bits = 20;

}  // namespace

std::uint64_t epoch_seed(std::uint64_t seed, std::int64_t epoch) {
  const auto halves = [](std::uint64_t value) {
    return std::array<std::uint32_t, 2>{static_cast<std::uint32_t>(value),
                                        static_cast<std::uint32_t>(value >> 32)};
  };
  const auto mixed = threefry2x32(halves(seed), halves(static_cast<std::uint64_t>(epoch)));
  return (std::uint64_t{mixed[1]} << 32) | mixed[0];
}

ItemChances::ItemChances(std::uint64_t seed, std::string_view name, std::int64_t epoch,
                         std::int64_t item)
    : generator_(epoch_seed(seed, epoch), name),
      next_(static_cast<std::uint64_t>(item) << draw_bits) {}

double ItemChances::uniform(double low, double high) {
  return low + (high - low) * static_cast<double>(generator_.uniform(next_++));
}

std::int64_t ItemChances::integer(std::int64_t n) {
  return generator_.integer(next_++, n);
}

}  // namespace trainmark::data
