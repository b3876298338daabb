#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "cuda/support/element_type.h"

// One pass over all parameters: the gradient is read in the type that the backward pass gave it,
// and the copy of the weight that the model computes with is written beside the weight. No LibTorch
// here, so that nvcc reads little.

namespace trainmark::train {

/// Elements that a thread reads and writes at a time: tensors must begin at a multiple of so many.
constexpr int weights_at_once = 4;

/// Tensors of the same number of elements, in the same order in memory.
struct UpdatedTensor {
  const void* gradient = nullptr;
  float* weight = nullptr;
  void* copy = nullptr;     // in the gradient's type; null where the model uses the weight itself
  float* moment = nullptr;  // SGD's momentum, Adam's mean
  float* square = nullptr;  // Adam's
  std::int64_t count = 0;
};

/// What a loss scale adds to a step; null without one.
struct ScaleState {
  const float* scale = nullptr;  // the gradients were multiplied by it
  float* overflow = nullptr;     // not 0: a gradient was not finite, and nothing is to be changed
};

struct SgdNumbers {
  float learning_rate = 0;
  const float* changing_rate = nullptr;  // instead, where it changes: read when the kernel runs
  float momentum = 0;
  float weight_decay = 0;
};

struct AdamNumbers {
  float learning_rate = 0;
  const float* changing_rate = nullptr;  // as above
  float beta1 = 0;
  float beta2 = 0;
  float epsilon = 0;
  float weight_decay = 0;
  bool decoupled = false;
  const float* step = nullptr;  // counts from 1
};

/// Tensors whose gradients have one type; either all have a copy or none.
struct UpdatedGroup {
  ElementType type = ElementType::float32;
  std::vector<UpdatedTensor> tensors;
};

/// Sets *overflow to 1 where a gradient is not finite.
void find_overflow(const UpdatedGroup& group, float* overflow, cudaStream_t stream);
void update_by_sgd(const UpdatedGroup& group, const SgdNumbers& numbers, const ScaleState& scale,
                   cudaStream_t stream);
void update_by_adam(const UpdatedGroup& group, const AdamNumbers& numbers, const ScaleState& scale,
                    cudaStream_t stream);

}  // namespace trainmark::train
