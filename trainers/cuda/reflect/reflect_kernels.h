#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/support/element_type.h"

// No LibTorch here, so that nvcc reads little.

namespace trainmark::train {

struct ReflectProblem {
  ElementType type = ElementType::float32;
  std::int64_t images = 0;
  int height = 0;  // without the border
  int width = 0;
  int channels = 0;  // a multiple of 8
  int border = 0;    // smaller than height and width
  cudaStream_t stream = nullptr;
};

void reflect_forward(const ReflectProblem& problem, const void* x, void* y);
/// `more`, where it is not null, is added to dx.
void reflect_backward(const ReflectProblem& problem, const void* dy, const void* more, void* dx);

}  // namespace trainmark::train
