#pragma once

#include "cuda/batch_norm/batch_norm_kernels.h"

// The end of a block with a batch norm and squeeze-excitation: z = relu(gate × norm(x) + residual),
// with a gate for each channel of each image. A norm scales and shifts, and so does the gate: what
// either needs of its gradient follows from sums over each image, and norm(x) is never written. No
// LibTorch here.

namespace trainmark::train {

/// Each image is a group of its own; `rows` are its pixels. The norm is that of all images.
using NormGateProblem = NormProblem;

/// What the kernels know of the norm.
struct GatedNorm {
  const void* x = nullptr;
  const float* moments = nullptr;  // mean and inverse deviation of each channel
  const float* weight = nullptr;
  const float* bias = nullptr;
};

/// Where an image's channels have a number each, they are [images, channels].
struct NormGateMeans {
  GatedNorm norm;
  float* workspace = nullptr;  // norm_workspace_floats
  float* of_x = nullptr;       // out: the mean of x over the pixels
  void* of_norm = nullptr;     // out, in the type of x: that of norm(x)
};

struct NormGateForward {
  GatedNorm norm;
  const void* gate = nullptr;
  const void* residual = nullptr;
  void* z = nullptr;
  std::uint8_t* signs = nullptr;  // out: of z, as NormForward's
};

/// The gradients of gate and residual.
struct NormGateSums {
  GatedNorm norm;
  const void* dz = nullptr;
  const void* more_dz = nullptr;  // a second gradient, to be added; or null
  const std::uint8_t* signs = nullptr;
  float* workspace = nullptr;
  void* dresidual = nullptr;  // these three: out
  float* sums = nullptr;      // [images, 2, channels]: of dresidual, and of it × (x − mean)
  void* dgate = nullptr;
};

/// Those of the norm.
struct NormGateBackward {
  GatedNorm norm;
  const void* dresidual = nullptr;
  const float* sums = nullptr;
  const float* means = nullptr;  // of x over the pixels
  const void* gate = nullptr;
  const void* dmean = nullptr;  // what each pixel of norm(x) gets through the gate
  void* dx = nullptr;
  float* dweight = nullptr;
  float* dbias = nullptr;
};

void norm_gate_means(const NormGateProblem& problem, const NormGateMeans& arguments);
void norm_gate_forward(const NormGateProblem& problem, const NormGateForward& arguments);
void norm_gate_sums(const NormGateProblem& problem, const NormGateSums& arguments);
void norm_gate_backward(const NormGateProblem& problem, const NormGateBackward& arguments);

}  // namespace trainmark::train
