#include "data/making/checksum.h"

#include <zlib.h>

#include <array>

namespace trainmark::data {

namespace {

void add_number(uLong& sum, std::uint64_t number) {
  std::array<std::uint8_t, 8> bytes{};
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(number);
    number >>= 8;
  }
  sum = crc32_z(sum, bytes.data(), bytes.size());
}

/// With its length, so that nothing can move from one part to the next unseen.
void add_bytes(uLong& sum, BytesView bytes) {
  add_number(sum, bytes.size());
  if (!bytes.empty()) sum = crc32_z(sum, bytes.data(), bytes.size());  // else it begins again
}

void add_words(uLong& sum, const std::vector<std::int32_t>& words) {
  add_number(sum, words.size());
  for (const std::int32_t word : words) add_number(sum, static_cast<std::uint32_t>(word));
}

}  // namespace

std::uint32_t checksum_of(const Item& item) {
  uLong sum = crc32_z(0, nullptr, 0);
  add_number(sum, static_cast<std::uint64_t>(item.label));
  add_bytes(sum, item.picture);
  add_number(sum, static_cast<std::uint64_t>(item.decoded.width));
  add_bytes(sum, item.decoded.pixels);
  add_bytes(sum, item.second);
  add_words(sum, item.tokens);
  add_words(sum, item.target);
  add_words(sum, item.positions);
  add_number(sum, static_cast<std::uint32_t>(item.split));
  add_number(sum, static_cast<std::uint32_t>(item.follows));
  return static_cast<std::uint32_t>(sum);
}

}  // namespace trainmark::data
