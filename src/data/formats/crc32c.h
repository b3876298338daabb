#pragma once

#include <cstdint>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// CRC-32C (Castagnoli), by the processor's own instruction where it has one.
std::uint32_t crc32c(BytesView bytes);

/// The same from tables, for every processor.
std::uint32_t crc32c_by_tables(BytesView bytes);

/// As TFRecord files store it: turned by 15 bits and shifted, since a sum over bytes that contain
/// their own sum is weak.
inline std::uint32_t masked_crc32c(BytesView bytes) {
  const std::uint32_t sum = crc32c(bytes);
  return ((sum >> 15) | (sum << 17)) + 0xa282ead8U;
}

}  // namespace trainmark::data
