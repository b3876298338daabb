#pragma once

#include <cstdint>

#include "data/formats/data_set.h"

namespace trainmark::data {

/// CRC-32 (zlib's) of everything an item holds but its name. It finds damage, and is no proof
/// against somebody who wants to deceive.
std::uint32_t checksum_of(const Item& item);

}  // namespace trainmark::data
