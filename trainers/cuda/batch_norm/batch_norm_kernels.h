#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/support/element_type.h"

// Norm of matrices [rows, channels] that lie row after row: what channels-last tensors are. A batch
// norm is one of all images, an instance norm a group of its own for each image.
// No LibTorch here, so that nvcc reads little.

namespace trainmark::train {

/// What follows the norm. Sloped: below zero, multiplied by a slope (PReLU, leaky ReLU).
enum class NormActivation { none, relu, sloped };

struct NormProblem {
  ElementType type = ElementType::float32;
  int groups = 1;
  std::int64_t rows = 0;  // of a group
  int channels = 0;       // a multiple of 8
  NormActivation activation = NormActivation::none;
  cudaStream_t stream = nullptr;
};

/// What belongs to the channels, the same for all groups.
struct NormParameters {
  const float* weight = nullptr;  // null: 1
  const float* bias = nullptr;    // null: 0
  const float* slope = nullptr;   // null: `leak` for all
  float leak = 0;
};

/// y = activation((x − mean) × inverse deviation × weight + bias + residual).
struct NormForward {
  const void* x = nullptr;
  const float* sums = nullptr;     // of each channel of x and of its squares, where known
  const void* residual = nullptr;  // or null
  NormParameters parameters;
  float* running_mean = nullptr;  // or null
  float* running_variance = nullptr;
  float momentum = 0;
  float epsilon = 0;
  float* moments = nullptr;  // out: of each group, mean and inverse deviation of each channel
  float* workspace = nullptr;
  void* y = nullptr;
  std::uint8_t* signs = nullptr;  // out, with a residual and ReLU: a bit for each element of y
                                  // above zero, a byte for each 16 bytes
};

struct NormBackward {
  const void* x = nullptr;
  const std::uint8_t* signs = nullptr;  // of y, where they were kept; otherwise found from x again
  const void* dy = nullptr;
  const void* more_dy = nullptr;  // with signs: a second gradient, to be added; or null
  /// Of each channel of dy and of dy × normalised x, where known. Then dy is the gradient of the
  /// norm itself, without what follows it, and the gradients of weight and bias are these.
  const float* sums = nullptr;
  NormParameters parameters;
  const float* moments = nullptr;
  float* workspace = nullptr;
  const void* more_dx = nullptr;  // without an activation: to be added to dx; or null
  void* dx = nullptr;
  void* dresidual = nullptr;  // with signs: out
  float* dweight = nullptr;   // these three: or null
  float* dbias = nullptr;
  float* dslope = nullptr;
};

std::size_t norm_workspace_floats(const NormProblem& problem);
/// The bytes that the signs of a tensor take.
std::int64_t sign_bytes(const NormProblem& problem);
/// What norm_forward does first, alone: statistics, no y.
void norm_moments(const NormProblem& problem, const NormForward& arguments);
void norm_forward(const NormProblem& problem, const NormForward& arguments);
void norm_backward(const NormProblem& problem, const NormBackward& arguments);

}  // namespace trainmark::train
