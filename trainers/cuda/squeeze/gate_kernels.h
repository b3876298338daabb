#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/support/element_type.h"

// z = relu(y × gate + residual), where every image has a gate for each channel: the end of a block
// with squeeze-excitation. Images are channels-last; all tensors but the sums have one type.

namespace trainmark::train {

struct GateProblem {
  ElementType type = ElementType::float32;
  int images = 0;
  int pixels = 0;    // of an image
  int channels = 0;  // a multiple of what 16 bytes hold
  cudaStream_t stream = nullptr;
};

void gate_forward(const GateProblem& problem, const void* y, const void* gate, const void* residual,
                  void* z);

/// The gradient of the residual, which is that of the sum inside; and the gate's, in parts.
struct GateBackward {
  const void* dz = nullptr;
  const void* more_dz = nullptr;  // to be added to dz; or null
  const void* z = nullptr;
  const void* y = nullptr;
  void* dresidual = nullptr;
  float* dgate = nullptr;  // [gate_parts, images, channels], to be added up
};

int gate_parts(const GateProblem& problem);
void gate_backward(const GateProblem& problem, const GateBackward& arguments);

/// dy = dsum × gate + dmean: through the gate, and through the mean that the gate was made of.
void gate_backward_input(const GateProblem& problem, const void* dsum, const void* gate,
                         const void* dmean, void* dy);

}  // namespace trainmark::train
