#pragma once

#include <cstddef>
#include <cstdint>

#include "data/pictures/filter.h"
#include "data/pictures/picture.h"

namespace trainmark::data {

/// Rows between both passes. `stride` leaves room behind each row, where a pass may write what it
/// likes: it need not stop within a vector.
struct WideRows {
  std::uint8_t* pixels = nullptr;
  std::size_t stride = 0;

  /// For rows of so many bytes.
  static constexpr std::size_t stride_of(std::size_t bytes) { return (bytes + 64) / 32 * 32; }
  std::uint8_t* row(std::size_t y) const { return pixels + y * stride; }
};

/// The two passes of resizing. All implementations compute the same integers.
struct Passes {
  /// Each row of `picture` becomes as wide as the filter.
  void (*horizontal)(const Picture& picture, const Filter& filter, WideRows rows);
  /// The columns of `rows` become as high as the filter: `bytes` of each row, and no more is
  /// written to `result`.
  void (*vertical)(WideRows rows, const Filter& filter, std::size_t bytes, std::uint8_t* result);
};

extern const Passes plain_passes;

/// The horizontal pass of the rows from `first` on, byte by byte.
void plain_rows(const Picture& picture, std::size_t first, const Filter& filter, WideRows rows);

/// For this processor: the fastest.
const Passes& fastest_passes();

}  // namespace trainmark::data
