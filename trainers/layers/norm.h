#pragma once

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>

#include "layers/context.h"

namespace trainmark::train {

/// LibTorch's layer, but with the mean and variance of all ranks' batches together where the job
/// asks for it, and with one walk over the memory where the device has a kernel for it.
struct BatchNorm2dImpl : torch::nn::BatchNorm2dImpl {
  BatchNorm2dImpl(const TrainingContext& context, std::int64_t channels);
  at::Tensor forward(const Summed& x);

  TrainingContext context;
};
TORCH_MODULE(BatchNorm2d);

/// The same of vectors [N, channels].
struct BatchNorm1dImpl : torch::nn::BatchNorm1dImpl {
  BatchNorm1dImpl(const TrainingContext& context, std::int64_t channels);
  at::Tensor forward(const at::Tensor& x);

  TrainingContext context;
};
TORCH_MODULE(BatchNorm1d);

/// Is there a kernel for the norm of x, and what does it need of the layer?
bool has_kernel(const BatchNorm2dImpl& norm, const Summed& x);
NormArguments norm_arguments(const BatchNorm2dImpl& norm, const Summed& x);

// Batch norm and what follows it: a kernel does both in the same walk.

/// norm(x) for a branch that begins with it, and x for the shortcut around the branch: the norm
/// adds the shortcut's gradient to that of its input.
Fork norm_fork(BatchNorm2d& norm, const Summed& x);

/// relu(norm(x)).
at::Tensor norm_relu(BatchNorm2d& norm, const Summed& x);

/// prelu(norm(x)).
at::Tensor norm_prelu(BatchNorm2d& norm, torch::nn::PReLU& prelu, const Summed& x);

/// norm(x) + residual.
at::Tensor norm_add(BatchNorm2d& norm, const Summed& x, const at::Tensor& residual);

/// relu(norm(x) + residual): the end of a residual block, for the branch and the shortcut of the
/// next one.
Fork norm_add_relu(BatchNorm2d& norm, const Summed& x, const at::Tensor& residual);

/// The same where the shortcut ends with a norm of its own: relu(norm(x) + other(residual)).
Fork norm_add_norm_relu(BatchNorm2d& norm, const Summed& x, BatchNorm2d& other,
                        const Summed& residual);

}  // namespace trainmark::train
