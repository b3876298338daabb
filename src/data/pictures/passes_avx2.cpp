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
constexpr std::size_t taps = 4;   // pixels per step, in either pass
constexpr std::size_t group = 4;  // pixels of the result at once, in the horizontal pass
constexpr std::size_t pixel_bytes = 3;

/// The weights of four pixels, as pairs.
struct Quad {
  std::int32_t high[2];
  std::int32_t low[2];
};

std::int32_t joined(std::int32_t first, std::int32_t second) {
  return first | second << 16;
}

std::vector<Quad> quads_of(const Filter& filter) {
  constexpr std::int32_t mask = (1 << low_bits) - 1;
  std::vector<Quad> quads(filter.weights.size() / taps);
  for (std::size_t at = 0; at < quads.size(); ++at) {
    const std::int32_t* weights = filter.weights.data() + at * taps;
    for (std::size_t pair = 0; pair < 2; ++pair) {
      const std::int32_t first = weights[2 * pair];
      const std::int32_t second = weights[2 * pair + 1];
      quads[at].high[pair] = joined(first >> low_bits, second >> low_bits);
      quads[at].low[pair] = joined(first & mask, second & mask);
    }
  }
  return quads;
}

/// Sums of 32 bits from their halves, rounded and shifted.
TRAINMARK_AVX2 inline __m256i finished(__m256i high, __m256i low) {
  return _mm256_srai_epi32(_mm256_add_epi32(_mm256_slli_epi32(high, low_bits), low), Filter::bits);
}

TRAINMARK_AVX2 inline __m256i both_lanes(__m128i lane) {
  return _mm256_broadcastsi128_si256(lane);
}

TRAINMARK_AVX2 inline __m256i load_two(const std::uint8_t* first, const std::uint8_t* second) {
  const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(first));
  const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(second));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/// The same pixel of two rows, one in each lane: three sums.
TRAINMARK_AVX2 inline __m256i pixel_of_two(const std::uint8_t* first, const std::uint8_t* second,
                                           const Quad* quads, std::size_t steps) {
  const __m256i first_pair =
      both_lanes(_mm_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1));
  const __m256i second_pair =
      both_lanes(_mm_setr_epi8(6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1));
  __m256i high = _mm256_setzero_si256();
  __m256i low = _mm256_set1_epi32(Filter::half);
  for (std::size_t step = 0; step < steps; ++step) {
    const __m256i bytes = load_two(first, second);
    const __m256i front = _mm256_shuffle_epi8(bytes, first_pair);
    const __m256i back = _mm256_shuffle_epi8(bytes, second_pair);
    high = _mm256_add_epi32(high, _mm256_madd_epi16(front, _mm256_set1_epi32(quads[step].high[0])));
    low = _mm256_add_epi32(low, _mm256_madd_epi16(front, _mm256_set1_epi32(quads[step].low[0])));
    high = _mm256_add_epi32(high, _mm256_madd_epi16(back, _mm256_set1_epi32(quads[step].high[1])));
    low = _mm256_add_epi32(low, _mm256_madd_epi16(back, _mm256_set1_epi32(quads[step].low[1])));
    first += taps * pixel_bytes;
    second += taps * pixel_bytes;
  }
  return finished(high, low);
}

/// Reads up to 13 bytes beyond the end of either row.
TRAINMARK_AVX2 void two_rows(const std::uint8_t* first, const std::uint8_t* second,
                             const Filter& filter, const Quad* quads, std::uint8_t* to_first,
                             std::uint8_t* to_second) {
  const __m256i without_gaps =
      both_lanes(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  const std::size_t last = filter.spans.size() - 1;
  const std::size_t stride = filter.width / taps;
  for (std::size_t x = 0; x <= last; x += group) {
    __m256i sums[group];
    for (std::size_t at = 0; at < group; ++at) {
      const std::size_t pixel = std::min(x + at, last);
      const auto [begin, count] = filter.spans[pixel];
      const std::size_t offset = static_cast<std::size_t>(begin) * pixel_bytes;
      const std::size_t steps = (static_cast<std::size_t>(count) + taps - 1) / taps;
      sums[at] = pixel_of_two(first + offset, second + offset, quads + pixel * stride, steps);
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

void avx2_horizontal(const Picture& picture, const Filter& filter, WideRows rows) {
  // The last rows, beyond whose end there is nothing to be read, are for the plain pass.
  constexpr std::size_t beyond = 16;
  const std::size_t row_bytes = static_cast<std::size_t>(picture.width * picture.channels);
  const auto height = static_cast<std::size_t>(picture.height);
  const std::size_t careful = (beyond + row_bytes - 1) / row_bytes;
  std::size_t y = 0;
  if (picture.channels == pixel_bytes) {
    const std::vector<Quad> quads = quads_of(filter);
    for (; y + careful + 2 <= height; y += 2) {
      const std::uint8_t* row = picture.pixels.data() + y * row_bytes;
      two_rows(row, row + row_bytes, filter, quads.data(), rows.row(y), rows.row(y + 1));
    }
  }
  plain_rows(picture, y, filter, rows);
}

struct Sums {
  __m256i high;
  __m256i low;
};

TRAINMARK_AVX2 inline void add_pair(Sums& sums, __m256i numbers, __m256i high, __m256i low) {
  sums.high = _mm256_add_epi32(sums.high, _mm256_madd_epi16(numbers, high));
  sums.low = _mm256_add_epi32(sums.low, _mm256_madd_epi16(numbers, low));
}

/// 32 bytes of one row of the result.
TRAINMARK_AVX2 inline __m256i column_of_bytes(const std::uint8_t* from, std::size_t stride,
                                              std::size_t count, const Quad* quads) {
  const __m256i zero = _mm256_setzero_si256();
  Sums sums[4];
  for (Sums& sum : sums) sum = {zero, _mm256_set1_epi32(Filter::half)};
  for (std::size_t at = 0; at < count; at += 2) {
    const std::uint8_t* row = from + at * stride;
    const std::uint8_t* next = at + 1 < count ? row + stride : row;  // whose weight is zero
    const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
    const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(next));
    const __m256i high = _mm256_set1_epi32(quads[at / taps].high[at / 2 % 2]);
    const __m256i low = _mm256_set1_epi32(quads[at / taps].low[at / 2 % 2]);
    const __m256i front = _mm256_unpacklo_epi8(first, second);
    const __m256i back = _mm256_unpackhi_epi8(first, second);
    add_pair(sums[0], _mm256_unpacklo_epi8(front, zero), high, low);
    add_pair(sums[1], _mm256_unpackhi_epi8(front, zero), high, low);
    add_pair(sums[2], _mm256_unpacklo_epi8(back, zero), high, low);
    add_pair(sums[3], _mm256_unpackhi_epi8(back, zero), high, low);
  }
  // Packing undoes the order of unpacking.
  return _mm256_packus_epi16(
      _mm256_packus_epi32(finished(sums[0].high, sums[0].low), finished(sums[1].high, sums[1].low)),
      _mm256_packus_epi32(finished(sums[2].high, sums[2].low),
                          finished(sums[3].high, sums[3].low)));
}

TRAINMARK_AVX2 void avx2_vertical(WideRows rows, const Filter& filter, std::size_t bytes,
                                  std::uint8_t* result) {
  constexpr std::size_t vector = 32;
  const std::vector<Quad> quads = quads_of(filter);
  for (std::size_t y = 0; y < filter.spans.size(); ++y, result += bytes) {
    const auto [first, count] = filter.spans[y];
    const std::uint8_t* from = rows.row(static_cast<std::size_t>(first));
    const Quad* weights = quads.data() + y * (filter.width / taps);
    for (std::size_t x = 0; x < bytes; x += vector) {
      const __m256i made =
          column_of_bytes(from + x, rows.stride, static_cast<std::size_t>(count), weights);
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
