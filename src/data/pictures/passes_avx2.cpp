#include "data/pictures/passes_avx2.h"

#ifdef __x86_64__

#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace trainmark::data {

namespace {

#define TRAINMARK_AVX2 __attribute__((target("avx2")))

// The instruction that multiplies and adds pairs takes 16 bits, and weights have 22: each is split
// into its upper and its lower half, and the sums are joined at the end. Nothing is lost.
constexpr int low_bits = Filter::bits / 2;
constexpr std::size_t pixel_bytes = 3;
constexpr std::size_t group = 4;  // pixels of the result at once, in the horizontal pass

/// The weights of two pixels of the source.
struct Pair {
  std::int32_t high;
  std::int32_t low;

  Pair(std::int32_t first, std::int32_t second)
      : high(first >> low_bits | second >> low_bits << 16),
        low((first & low_mask) | (second & low_mask) << 16) {}

  static constexpr std::int32_t low_mask = (1 << low_bits) - 1;
};

/// A filter as the instructions take it: as many pairs for each pixel of the result.
struct PackedFilter {
  std::vector<Pair> pairs;
  std::vector<std::size_t> firsts;
  std::size_t count = 0;  // of pairs, enough for every pixel

  explicit PackedFilter(const Filter& filter) {
    for (const Filter::Span& span : filter.spans)
      count = std::max(count, (static_cast<std::size_t>(span.count) + 1) / 2);
    // The last pixel is repeated until groups are full.
    const std::size_t pixels = (filter.spans.size() + group - 1) / group * group;
    pairs.reserve(pixels * count);
    firsts.reserve(pixels);
    for (std::size_t at = 0; at < pixels; ++at) {
      const std::size_t pixel = std::min(at, filter.spans.size() - 1);
      const std::int32_t* weights = filter.weights_of(pixel);
      firsts.push_back(static_cast<std::size_t>(filter.spans[pixel].first));
      for (std::size_t pair = 0; pair < count; ++pair)
        pairs.emplace_back(weights[2 * pair], weights[2 * pair + 1]);
    }
  }

  /// How far the horizontal pass reads beyond the end of a row.
  std::size_t bytes_beyond() const { return 2 * count * pixel_bytes + sizeof(__m128i); }
};

struct Sums {
  __m256i high;
  __m256i low;
};

TRAINMARK_AVX2 inline void begin(Sums& sums) {
  sums.high = _mm256_setzero_si256();
  sums.low = _mm256_set1_epi32(Filter::half);
}

TRAINMARK_AVX2 inline void add_pair(Sums& sums, __m256i numbers, const Pair& pair) {
  sums.high = _mm256_add_epi32(sums.high, _mm256_madd_epi16(numbers, _mm256_set1_epi32(pair.high)));
  sums.low = _mm256_add_epi32(sums.low, _mm256_madd_epi16(numbers, _mm256_set1_epi32(pair.low)));
}

/// Joined, rounded and shifted.
TRAINMARK_AVX2 inline __m256i finished(const Sums& sums) {
  const __m256i joined = _mm256_add_epi32(_mm256_slli_epi32(sums.high, low_bits), sums.low);
  return _mm256_srai_epi32(joined, Filter::bits);
}

TRAINMARK_AVX2 inline __m256i both_lanes(__m128i lane) {
  return _mm256_broadcastsi128_si256(lane);
}

TRAINMARK_AVX2 inline __m256i load_two(const std::uint8_t* first, const std::uint8_t* second) {
  const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(first));
  const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(second));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/// The same pixel of two rows, one in each lane: three sums. Four pixels of the source are loaded
/// at once.
TRAINMARK_AVX2 inline __m256i pixel_of_two(const std::uint8_t* first, const std::uint8_t* second,
                                           const Pair* pairs, std::size_t count) {
  const __m256i front =
      both_lanes(_mm_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1));
  const __m256i back =
      both_lanes(_mm_setr_epi8(6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1));
  Sums sums;
  begin(sums);
  for (std::size_t pair = 0; pair < count; pair += 2) {
    const __m256i bytes = load_two(first, second);
    add_pair(sums, _mm256_shuffle_epi8(bytes, front), pairs[pair]);
    if (pair + 1 < count) add_pair(sums, _mm256_shuffle_epi8(bytes, back), pairs[pair + 1]);
    first += 4 * pixel_bytes;
    second += 4 * pixel_bytes;
  }
  return finished(sums);
}

/// `fixed`: the number of pairs where the compiler knows it, which is much faster; or 0.
template <std::size_t fixed>
TRAINMARK_AVX2 void two_rows(const std::uint8_t* first, const std::uint8_t* second,
                             const PackedFilter& filter, std::uint8_t* to_first,
                             std::uint8_t* to_second) {
  const __m256i without_gaps =
      both_lanes(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  const std::size_t count = fixed != 0 ? fixed : filter.count;
  const Pair* pairs = filter.pairs.data();
  for (std::size_t x = 0; x < filter.firsts.size(); x += group) {
    __m256i sums[group];
    for (std::size_t at = 0; at < group; ++at, pairs += count) {
      const std::size_t offset = filter.firsts[x + at] * pixel_bytes;
      sums[at] = pixel_of_two(first + offset, second + offset, pairs, count);
    }
    const __m256i bytes = _mm256_packus_epi16(_mm256_packus_epi32(sums[0], sums[1]),
                                              _mm256_packus_epi32(sums[2], sums[3]));
    const __m256i packed = _mm256_shuffle_epi8(bytes, without_gaps);
    const std::size_t offset = x * pixel_bytes;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to_first + offset), _mm256_castsi256_si128(packed));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to_second + offset),
                     _mm256_extracti128_si256(packed, 1));
  }
}

auto two_rows_for(std::size_t pairs) {
  switch (pairs) {
    case 1:
      return two_rows<1>;  // enlarged
    case 2:
      return two_rows<2>;  // up to half the size
    case 3:
      return two_rows<3>;  // up to a third
    default:
      return two_rows<0>;
  }
}

void avx2_horizontal(const Picture& picture, const Filter& filter, WideRows rows) {
  std::size_t y = 0;
  if (picture.channels == pixel_bytes) {
    const PackedFilter packed(filter);
    const auto pass = two_rows_for(packed.count);
    const std::size_t row_bytes = static_cast<std::size_t>(picture.width) * pixel_bytes;
    // The last rows, beyond whose end there is nothing to be read, are left to the plain pass.
    const std::size_t careful = (packed.bytes_beyond() + row_bytes - 1) / row_bytes;
    for (; y + 2 + careful <= static_cast<std::size_t>(picture.height); y += 2) {
      const std::uint8_t* row = picture.pixels.data() + y * row_bytes;
      pass(row, row + row_bytes, packed, rows.row(y), rows.row(y + 1));
    }
  }
  plain_rows(picture, y, filter, rows);
}

/// 32 bytes of one row of the result, from so many rows.
TRAINMARK_AVX2 inline __m256i column_of_bytes(const std::uint8_t* from, std::size_t stride,
                                              std::size_t count, const Pair* pairs) {
  const __m256i zero = _mm256_setzero_si256();
  Sums sums[4];
  for (Sums& sum : sums) begin(sum);
  for (std::size_t at = 0; at < count; at += 2) {
    const std::uint8_t* row = from + at * stride;
    const std::uint8_t* next = at + 1 < count ? row + stride : row;  // whose weight is zero
    const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
    const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(next));
    const __m256i front = _mm256_unpacklo_epi8(first, second);
    const __m256i back = _mm256_unpackhi_epi8(first, second);
    const Pair& pair = pairs[at / 2];
    add_pair(sums[0], _mm256_unpacklo_epi8(front, zero), pair);
    add_pair(sums[1], _mm256_unpackhi_epi8(front, zero), pair);
    add_pair(sums[2], _mm256_unpacklo_epi8(back, zero), pair);
    add_pair(sums[3], _mm256_unpackhi_epi8(back, zero), pair);
  }
  // Packing undoes the order of unpacking.
  return _mm256_packus_epi16(_mm256_packus_epi32(finished(sums[0]), finished(sums[1])),
                             _mm256_packus_epi32(finished(sums[2]), finished(sums[3])));
}

TRAINMARK_AVX2 void avx2_vertical(WideRows rows, const Filter& filter, std::size_t bytes,
                                  std::uint8_t* result) {
  constexpr std::size_t vector = 32;
  const PackedFilter packed(filter);
  for (std::size_t y = 0; y < filter.spans.size(); ++y, result += bytes) {
    const auto [first, count] = filter.spans[y];
    const std::uint8_t* from = rows.row(static_cast<std::size_t>(first));
    const Pair* pairs = packed.pairs.data() + y * packed.count;
    for (std::size_t x = 0; x < bytes; x += vector) {
      const __m256i made =
          column_of_bytes(from + x, rows.stride, static_cast<std::size_t>(count), pairs);
      if (x + vector <= bytes) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(result + x), made);
      } else {
        alignas(vector) std::uint8_t last[vector];
        _mm256_store_si256(reinterpret_cast<__m256i*>(last), made);
        std::memcpy(result + x, last, bytes - x);
      }
    }
  }
}

}  // namespace

constinit const Passes avx2_passes{avx2_horizontal, avx2_vertical};

}  // namespace trainmark::data

#endif
