#pragma once

#include <cstdint>
#include <vector>

namespace trainmark::data {

/// Octaves of value noise, from grid to grid: each has half the spacing of the one before it.
struct TextureSettings {
  std::uint32_t key = 0;
  int coarsest = 7;    // the spacing of the first, as a power of two
  int finest = 0;      // that of the last
  int strength = 40;   // of the first: its numbers are in ±strength
  int roughness = 70;  // percent of its strength that the next finer one has
};

/// Adds a texture to `values` (width × height): numbers around 0. In whole numbers, so that every
/// machine makes the same one.
void add_texture(const TextureSettings& settings, int width, int height,
                 std::vector<std::int16_t>& values);

}  // namespace trainmark::data
