#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/support/element_type.h"

// Images whose 2×2 pixels become one pixel of four times the channels. No LibTorch here.

namespace trainmark::train {

struct FoldProblem {
  ElementType from = ElementType::float32;
  ElementType to = ElementType::float16;
  int images = 0;
  int channels = 0;              // of x
  int height = 0;                // of x, even
  int width = 0;                 // the same
  std::int64_t strides[4] = {};  // of x: image, channel, row, column
  int before = 0;                // lines of zeros around the result: above and to the left
  int after = 0;                 // below and to the right
  int folded = 0;                // channels of the result, a multiple of 8: those behind are zeros
  cudaStream_t stream = nullptr;
};

/// y is channels-last: [images, before + height / 2 + after, before + width / 2 + after, folded].
/// Its channel (2 row + column) × channels + channel is that of the pixel in this row and column of
/// the four.
void fold(const FoldProblem& problem, const void* x, void* y);

}  // namespace trainmark::train
