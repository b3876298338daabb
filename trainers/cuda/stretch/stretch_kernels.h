#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/support/element_type.h"

// The gradient of bilinear resizing, corners not aligned. Each pixel of the input gathers from the
// pixels of the result that were made of it, so that nothing is added by two threads.

namespace trainmark::train {

struct StretchProblem {
  ElementType type = ElementType::float32;
  int height = 0;  // of the input
  int width = 0;
  int to_height = 0;  // of the result
  int to_width = 0;
  cudaStream_t stream = nullptr;
};

/// A row of the result must fit into a block's memory.
constexpr std::int64_t stretch_most_columns = 8192;

/// Of [planes, height, width].
void stretch_backward_planes(const StretchProblem& problem, std::int64_t planes, const void* dy,
                             void* dx);

/// Of [images, height, width, channels], whose channels are a multiple of what 16 bytes hold.
void stretch_backward_pixels(const StretchProblem& problem, int images, int channels,
                             const void* dy, void* dx);

}  // namespace trainmark::train
