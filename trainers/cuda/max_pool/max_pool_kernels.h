#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/support/element_type.h"

// The largest of 3×3 pixels, stride 2, padding 1, of [images, height, width, channels].

namespace trainmark::train {

struct MaxPoolProblem {
  ElementType type = ElementType::float32;
  int images = 0;
  int height = 0;  // of the input
  int width = 0;
  int channels = 0;  // a multiple of what 16 bytes hold
  cudaStream_t stream = nullptr;
};

/// A side of the result.
constexpr std::int64_t max_pool_size(std::int64_t size) {
  return (size + 1) / 2;
}

/// `chosen` says which of the nine pixels, in row-major order, is the largest: the first of equal
/// ones; the last NaN if there are any.
void max_pool_forward(const MaxPoolProblem& problem, const void* x, void* y, std::uint8_t* chosen);
void max_pool_backward(const MaxPoolProblem& problem, const void* dy, const std::uint8_t* chosen,
                       void* dx);

}  // namespace trainmark::train
