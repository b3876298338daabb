#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/support/element_type.h"

// The mean cross-entropy of rows of logits. The logits are read once in each direction, in their
// own type, and no table of probabilities is ever written.

namespace trainmark::train {

struct CrossEntropyProblem {
  ElementType type = ElementType::float32;
  std::int64_t rows = 0;
  int classes = 0;
  int width = 0;  // of a row: the classes and padding; a multiple of what 16 bytes hold
  // Of an image, where each class has a plane of logits and each pixel is a row: its logits lie as
  // far apart, and there is no padding. 0: rows lie one behind the other.
  std::int64_t pixels = 0;
  float smoothing = 0;
  std::int64_t ignored = 0;
  cudaStream_t stream = nullptr;
};

struct CrossEntropyForward {
  const void* logits = nullptr;
  const std::int64_t* labels = nullptr;
  float* losses = nullptr;      // out: of each part, which is a row or a block of pixels
  float* counts = nullptr;      // out: the labels of each part that are not ignored
  float* logarithms = nullptr;  // out: of the sum of each row's exponentials
  float* mean = nullptr;        // out
  float* share = nullptr;       // out: of a row in the mean, 1 / the labels that count
};

struct CrossEntropyBackward {
  const void* logits = nullptr;
  const std::int64_t* labels = nullptr;
  const float* logarithms = nullptr;
  const float* share = nullptr;
  const float* gradient = nullptr;  // of the mean
  void* dlogits = nullptr;          // out; padding gets zeros
};

/// How many parts there are.
std::int64_t cross_entropy_parts(const CrossEntropyProblem& problem);
void cross_entropy_forward(const CrossEntropyProblem& problem,
                           const CrossEntropyForward& arguments);
void cross_entropy_backward(const CrossEntropyProblem& problem,
                            const CrossEntropyBackward& arguments);

}  // namespace trainmark::train
