#include "data/making/texture.h"

#include <algorithm>

namespace trainmark::data {

namespace {

constexpr int fraction_bits = 8;  // of weights
constexpr int value_bits = 4;     // more than whole numbers, so that weak octaves are seen

/// The finalizer of MurmurHash3: every bit of the input changes half of those of the result.
std::uint32_t scramble(std::uint32_t word) {
  word ^= word >> 16;
  word *= 0x85ebca6bU;
  word ^= word >> 13;
  word *= 0xc2b2ae35U;
  return word ^ (word >> 16);
}

/// One row of the grid: numbers in ±amplitude.
void fill_grid_row(std::uint32_t key, int row, int amplitude, std::vector<int>& grid) {
  const std::uint32_t row_key = scramble(key ^ (static_cast<std::uint32_t>(row) * 0x9e3779b9U));
  for (std::size_t x = 0; x < grid.size(); ++x) {
    const std::uint32_t word = scramble(row_key + static_cast<std::uint32_t>(x) * 0x85157af5U);
    grid[x] = static_cast<int>(
                  (std::uint64_t{word} * static_cast<std::uint32_t>(2 * amplitude + 1)) >> 32) -
              amplitude;
  }
}

/// How far a point between two of the grid is from the first: 3t² − 2t³, which has no creases.
std::vector<int> smooth_weights(int spacing) {
  std::vector<int> weights(static_cast<std::size_t>(spacing));
  for (int i = 0; i < spacing; ++i) {
    const std::int64_t t = (std::int64_t{i} << fraction_bits) / spacing;
    weights[static_cast<std::size_t>(i)] =
        static_cast<int>((t * t * (3 * (1 << fraction_bits) - 2 * t)) >> (2 * fraction_bits));
  }
  return weights;
}

/// One octave. Its amplitude is in fractions of `value_bits`.
void add_octave(std::uint32_t key, int spacing_bits, int amplitude, int width, int height,
                std::vector<std::int16_t>& values) {
  const int spacing = 1 << spacing_bits;
  const std::vector<int> weights = smooth_weights(spacing);
  const std::size_t columns = static_cast<std::size_t>(width >> spacing_bits) + 2;
  std::vector<int> above(columns), below(columns), between(columns);
  fill_grid_row(key, 0, amplitude, below);
  for (int y = 0; y < height; ++y) {
    const int within = y & (spacing - 1);
    if (within == 0) {
      above.swap(below);
      fill_grid_row(key, (y >> spacing_bits) + 1, amplitude, below);
    }
    const int down = weights[static_cast<std::size_t>(within)];
    for (std::size_t x = 0; x < columns; ++x)
      between[x] = above[x] + (((below[x] - above[x]) * down) >> fraction_bits);
    std::int16_t* row =
        values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
    for (int left = 0; left < width; left += spacing) {
      const auto cell = static_cast<std::size_t>(left >> spacing_bits);
      const int from = between[cell], step = between[cell + 1] - from;
      const int end = std::min(spacing, width - left);
      for (int i = 0; i < end; ++i) {
        const int value = from + ((step * weights[static_cast<std::size_t>(i)]) >> fraction_bits);
        row[left + i] = static_cast<std::int16_t>(row[left + i] + (value >> value_bits));
      }
    }
  }
}

}  // namespace

void add_texture(const TextureSettings& settings, int width, int height,
                 std::vector<std::int16_t>& values) {
  values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  int amplitude = settings.strength << value_bits;
  for (int bits = settings.coarsest; bits >= settings.finest; --bits) {
    add_octave(scramble(settings.key + static_cast<std::uint32_t>(bits)), bits, amplitude, width,
               height, values);
    amplitude = amplitude * settings.roughness / 100;
  }
}

}  // namespace trainmark::data
