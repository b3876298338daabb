#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/support/element_type.h"

// Cross-entropy over scale × cosines with a margin for the right class. A cosine is the product of
// an item and a class, divided by the length of the class. The products are read once in each
// direction, and no logits are ever written. No LibTorch here, so that nvcc reads little.

namespace trainmark::train {

struct MarginProblem {
  ElementType type = ElementType::float32;
  int items = 0;
  int classes = 0;
  int pitch = 0;  // from one item's products to the next's; a multiple of what 16 bytes hold
  float margin = 0;
  float scale = 0;
  cudaStream_t stream = nullptr;
};

struct MarginForward {
  const void* products = nullptr;   // [items, pitch]
  const float* inverses = nullptr;  // of the lengths of the classes
  const std::int64_t* labels = nullptr;
  float* losses = nullptr;      // out: of each item
  float* logarithms = nullptr;  // out: of the sum of each item's exponentials
};

struct MarginBackward {
  const void* products = nullptr;
  const float* inverses = nullptr;
  const std::int64_t* labels = nullptr;
  const float* logarithms = nullptr;
  const float* gradient = nullptr;  // of the mean loss
  void* dproducts = nullptr;        // out: [items, pitch], zeros behind the classes
  float* by_class = nullptr;        // out: what the gradient of a class has of the class itself
};

void margin_forward(const MarginProblem& problem, const MarginForward& arguments);
void margin_backward(const MarginProblem& problem, const MarginBackward& arguments);

/// to[row] += factors[row] × from[row], of matrices whose rows are a multiple of 16 bytes.
struct ScaledRows {
  ElementType type = ElementType::float32;
  std::int64_t rows = 0;
  int width = 0;
  const float* factors = nullptr;
  const void* from = nullptr;
  void* to = nullptr;
  cudaStream_t stream = nullptr;
};
void add_scaled_rows(const ScaledRows& arguments);

}  // namespace trainmark::train
