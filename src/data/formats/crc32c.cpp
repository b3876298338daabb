#include "data/formats/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace trainmark::data {

namespace {

static_assert(std::endian::native == std::endian::little, "words are taken from bytes as they lie");

constexpr std::uint32_t castagnoli = 0x82f63b78;  // the polynomial, lowest bit first

/// Table k has what a byte does to the sum when k more bytes follow it.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? castagnoli : 0);
    tables[0][byte] = sum;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 255];
  return tables;
}

constexpr CrcTables crc_tables = make_crc_tables();

std::uint64_t eight_bytes(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(BytesView bytes) {
  std::uint64_t sum = 0xffffffff;
  std::size_t place = 0;
  for (; place + 8 <= bytes.size(); place += 8)
    sum = _mm_crc32_u64(sum, eight_bytes(bytes.data() + place));
  auto short_sum = static_cast<std::uint32_t>(sum);
  for (; place < bytes.size(); ++place) short_sum = _mm_crc32_u8(short_sum, bytes[place]);
  return ~short_sum;
}
#endif

}  // namespace

std::uint32_t crc32c_by_tables(BytesView bytes) {
  std::uint32_t sum = 0xffffffff;
  std::size_t place = 0;
  for (; place + 8 <= bytes.size(); place += 8) {
    const std::uint64_t word = eight_bytes(bytes.data() + place) ^ sum;
    sum = 0;
    for (std::size_t k = 0; k < 8; ++k) sum ^= crc_tables[7 - k][(word >> (8 * k)) & 255];
  }
  for (; place < bytes.size(); ++place)
    sum = (sum >> 8) ^ crc_tables[0][(sum ^ bytes[place]) & 255];
  return ~sum;
}

std::uint32_t crc32c(BytesView bytes) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return crc32c_by_instruction(bytes);
#endif
  return crc32c_by_tables(bytes);
}

}  // namespace trainmark::data
