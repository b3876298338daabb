#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trainmark::data {

/// What each pixel of a resized line is made of: `count` pixels of the source from `first` on, each
/// times its weight. Weights are integers, whose sum is 2²² but for rounding: Pillow's precision.
struct Filter {
  static constexpr int bits = 22;
  static constexpr std::int32_t half = 1 << (bits - 1);  // added before the shift, to round

  struct Span {
    int first = 0;
    int count = 0;
  };

  std::vector<Span> spans;            // one per pixel of the result
  std::vector<std::int32_t> weights;  // `width` per pixel; those beyond `count` are zero
  std::size_t width = 0;              // a multiple of four, for instructions that take several

  const std::int32_t* weights_of(std::size_t pixel) const { return weights.data() + pixel * width; }
};

/// A triangle as wide as the scale, and two pixels wide where the result is larger. `reversed`: the
/// result is turned around.
Filter make_filter(int from, int to, bool reversed);

}  // namespace trainmark::data
