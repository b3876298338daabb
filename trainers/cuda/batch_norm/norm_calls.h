#pragma once

#include "cuda/batch_norm/batch_norm_kernels.h"
#include "kernels/kernels.h"

// What the kernels of norms need to know of tensors.

namespace trainmark::train {

at::Tensor channels_last(const at::Tensor& tensor);

/// Null of a tensor that is not defined.
float* floats_or_null(const at::Tensor& tensor);

NormProblem norm_problem(const at::Tensor& x, const NormArguments& arguments);

at::Tensor norm_workspace(const NormProblem& problem, const at::Tensor& like);

/// For the signs of a norm's result.
at::Tensor sign_tensor(const NormProblem& problem, const at::Tensor& like);

/// Each may be undefined. `slope` is in floats.
NormParameters norm_parameters(const at::Tensor& weight, const at::Tensor& bias,
                               const at::Tensor& slope = {}, double leak = 0);

/// From x to its moments, by what the arguments say; a result and more may be added to it.
NormForward norm_call(const NormArguments& arguments, const at::Tensor& x,
                      const at::Tensor& moments, const at::Tensor& workspace);

}  // namespace trainmark::train
