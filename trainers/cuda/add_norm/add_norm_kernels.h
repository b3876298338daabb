#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/support/parts.h"
#include "cuda/support/random.h"

// z = layer norm of x + dropout(y), row by row. No LibTorch here, so that nvcc reads little.

namespace trainmark::train {

struct AddNormProblem {
  ElementType type = ElementType::float32;
  std::int64_t rows = 0;
  int width = 0;  // a multiple of 8, at most 2048
  cudaStream_t stream = nullptr;
};

struct AddNormForward {
  const void* x = nullptr;
  const void* y = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
  float epsilon = 0;
  float dropout = 0;
  RandomState random;
  void* sum = nullptr;           // out: x + dropout(y)
  std::uint8_t* kept = nullptr;  // out, with dropout: a bit for each element
  float* moments = nullptr;      // out: mean and inverse deviation of each row
  void* z = nullptr;
};

struct AddNormBackward {
  const void* sum = nullptr;
  const void* dz = nullptr;
  const void* more_dz = nullptr;  // to be added to dz; may be null
  const std::uint8_t* kept = nullptr;
  const float* moments = nullptr;
  const float* weight = nullptr;
  float dropout = 0;
  float* workspace = nullptr;
  void* dx = nullptr;
  void* dy = nullptr;  // null without dropout: dx is it
  ColumnSums dweight;
  ColumnSums dbias;
  ColumnSums dy_sums;  // of the rows of dy; may be null
};

std::size_t add_norm_workspace_floats(const AddNormProblem& problem);
void add_norm_forward(const AddNormProblem& problem, const AddNormForward& arguments);
void add_norm_backward(const AddNormProblem& problem, const AddNormBackward& arguments);

}  // namespace trainmark::train
