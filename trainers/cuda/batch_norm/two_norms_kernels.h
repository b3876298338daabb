#pragma once

#include "cuda/batch_norm/batch_norm_kernels.h"

// The end of a block whose shortcut ends with a norm of its own: y = relu(norm(x) + norm(z)). Both
// are applied in the same walk; the result of the shortcut's norm is never written. No LibTorch
// here.

namespace trainmark::train {

/// The batch norms of x and z, and where y goes. Of each: what norm_moments takes.
struct TwoNormsForward {
  NormForward x;
  NormForward z;
  void* y = nullptr;
  std::uint8_t* signs = nullptr;  // as NormForward's
};

/// Of one of the two.
struct TwoNormsGradient {
  const void* values = nullptr;
  const float* weight = nullptr;
  const float* moments = nullptr;
  void* gradient = nullptr;  // these three: out
  float* dweight = nullptr;
  float* dbias = nullptr;
};

struct TwoNormsBackward {
  TwoNormsGradient x;
  TwoNormsGradient z;
  const void* dy = nullptr;
  const void* more_dy = nullptr;  // a second gradient, to be added; or null
  const std::uint8_t* signs = nullptr;
  float* workspace = nullptr;  // norm_workspace_floats
};

/// The problem is that of both, with ReLU.
void two_norms_forward(const NormProblem& problem, const TwoNormsForward& arguments);
void two_norms_backward(const NormProblem& problem, const TwoNormsBackward& arguments);

}  // namespace trainmark::train
