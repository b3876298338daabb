#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/support/element_type.h"

// What a linear layer needs beside its matrix products. No LibTorch here, so that nvcc reads
// little.

namespace trainmark::train {

enum class LinearActivation { none, relu, gelu };

struct LinearProblem {
  ElementType type = ElementType::float32;
  std::int64_t rows = 0;
  int columns = 0;  // a multiple of what 16 bytes hold
  cudaStream_t stream = nullptr;
};

/// y = gelu(x), by the error function.
void gelu_forward(const LinearProblem& problem, const void* x, void* y);

/// The gradient of the activation and of the bias before it.
struct LinearBackward {
  LinearActivation activation = LinearActivation::none;
  const void* saved = nullptr;  // relu: the result; gelu: what it was made of; none: null
  const void* dy = nullptr;
  float* workspace = nullptr;
  void* dx = nullptr;     // null without an activation: dy is it
  void* dbias = nullptr;  // the sum of each column of dx, summed in floats
};

std::size_t linear_workspace_floats(const LinearProblem& problem);
void linear_backward(const LinearProblem& problem, const LinearBackward& arguments);

}  // namespace trainmark::train
