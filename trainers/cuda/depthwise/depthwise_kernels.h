#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/support/element_type.h"

// A 3×3 filter for each channel, stride 1, padded by its dilation: [images, height, width,
// channels] stays in shape. Weights are [channels, 1, 3, 3].

namespace trainmark::train {

struct DepthwiseProblem {
  ElementType type = ElementType::float32;
  int images = 0;
  int height = 0;
  int width = 0;
  int channels = 0;  // a multiple of what 16 bytes hold
  int dilation = 1;
  cudaStream_t stream = nullptr;
};

void depthwise_forward(const DepthwiseProblem& problem, const void* x, const void* weight, void* y);
void depthwise_backward_input(const DepthwiseProblem& problem, const void* dy, const void* weight,
                              void* dx);

std::size_t depthwise_workspace_floats(const DepthwiseProblem& problem);
void depthwise_backward_weight(const DepthwiseProblem& problem, const void* x, const void* dy,
                               float* workspace, void* dweight);

}  // namespace trainmark::train
