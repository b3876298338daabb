#include "data/pictures/passes.h"

#include <algorithm>
#include <array>

#include "data/pictures/passes_avx2.h"

namespace trainmark::data {

namespace {

std::uint8_t as_byte(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::min(sum >> Filter::bits, 255));
}

template <int channels>
void resize_row_of(const std::uint8_t* from, const Filter& filter, std::uint8_t* to) {
  for (std::size_t x = 0; x < filter.spans.size(); ++x) {
    const auto [first, count] = filter.spans[x];
    const std::int32_t* weights = filter.weights_of(x);
    const std::uint8_t* pixel = from + std::ptrdiff_t{first} * channels;
    std::array<std::int32_t, channels> sums;
    sums.fill(Filter::half);
    for (int at = 0; at < count; ++at, pixel += channels)
      for (int channel = 0; channel < channels; ++channel)
        sums[channel] += pixel[channel] * weights[at];
    for (int channel = 0; channel < channels; ++channel) *to++ = as_byte(sums[channel]);
  }
}

void plain_horizontal(const Picture& picture, const Filter& filter, WideRows rows) {
  plain_rows(picture, 0, filter, rows);
}

void plain_vertical(WideRows rows, const Filter& filter, std::size_t bytes, std::uint8_t* result) {
  constexpr std::size_t together = 64;  // a number that the compiler knows, for vectors
  static_assert(WideRows::stride_of(1) >= together);
  for (std::size_t y = 0; y < filter.spans.size(); ++y, result += bytes) {
    const auto [first, count] = filter.spans[y];
    const std::int32_t* weights = filter.weights_of(y);
    for (std::size_t x = 0; x < bytes; x += together) {
      // Near the end, what is already written is computed again rather than less at once.
      const std::size_t begin = std::min(x, std::max(bytes, together) - together);
      std::array<std::int32_t, together> sums;
      sums.fill(Filter::half);
      for (int at = 0; at < count; ++at) {
        const std::uint8_t* from =
            rows.row(static_cast<std::size_t>(first) + static_cast<std::size_t>(at)) + begin;
        for (std::size_t i = 0; i < together; ++i) sums[i] += from[i] * weights[at];
      }
      for (std::size_t i = 0; i < std::min(together, bytes - begin); ++i)
        result[begin + i] = as_byte(sums[i]);
    }
  }
}

}  // namespace

void plain_rows(const Picture& picture, std::size_t first, const Filter& filter, WideRows rows) {
  const auto resize_row = picture.channels == 1 ? resize_row_of<1> : resize_row_of<3>;
  for (std::size_t y = first; y < static_cast<std::size_t>(picture.height); ++y)
    resize_row(picture.row(static_cast<int>(y)), filter, rows.row(y));
}

constinit const Passes plain_passes{plain_horizontal, plain_vertical};

const Passes& fastest_passes() {
#ifdef __x86_64__
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return avx2_passes;
#endif
  return plain_passes;
}

}  // namespace trainmark::data
