#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Batch norm of a matrix [rows, channels] that lies row after row: what a channels-last tensor is.
// No LibTorch here, so that nvcc reads little.

namespace trainmark::train {

enum class ElementType { Float, Half, BFloat16 };

struct NormProblem {
  ElementType type = ElementType::Float;
  std::int64_t rows = 0;
  int channels = 0;  // a multiple of 8
  cudaStream_t stream = nullptr;
};

/// y = relu((x − mean) × inverse deviation × weight + bias + residual).
struct NormForward {
  const void* x = nullptr;
  const void* residual = nullptr;  // or null
  const float* weight = nullptr;
  const float* bias = nullptr;
  float* running_mean = nullptr;
  float* running_variance = nullptr;
  float momentum = 0;
  float epsilon = 0;
  bool relu = false;
  float* moments = nullptr;  // out: mean and inverse deviation of each channel
  float* workspace = nullptr;
  void* y = nullptr;
};

struct NormBackward {
  const void* x = nullptr;
  const void* y = nullptr;  // null: its sign is found from x again
  const void* dy = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
  const float* moments = nullptr;
  bool relu = false;
  float* workspace = nullptr;
  void* dx = nullptr;
  void* dresidual = nullptr;  // or null
  float* dweight = nullptr;
  float* dbias = nullptr;
};

std::size_t norm_workspace_floats(const NormProblem& problem);
void norm_forward(const NormProblem& problem, const NormForward& arguments);
void norm_backward(const NormProblem& problem, const NormBackward& arguments);

}  // namespace trainmark::train
