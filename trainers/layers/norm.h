#pragma once

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>

namespace trainmark::train {

// Batch norm and what follows it: one walk over the memory where the device has a kernel for it.

/// From now on the mean and variance of a batch are those of all ranks' batches together.
void use_sync_norms();

/// norm(x).
at::Tensor normalize(torch::nn::BatchNorm2d& norm, const at::Tensor& x);
at::Tensor normalize(torch::nn::BatchNorm1d& norm, const at::Tensor& x);

/// relu(norm(x)).
at::Tensor norm_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x);

/// prelu(norm(x)).
at::Tensor norm_prelu(torch::nn::BatchNorm2d& norm, torch::nn::PReLU& prelu, const at::Tensor& x);

/// norm(x) + residual.
at::Tensor norm_add(torch::nn::BatchNorm2d& norm, const at::Tensor& x, const at::Tensor& residual);

/// relu(norm(x) + residual): the end of a residual block.
at::Tensor norm_add_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x,
                         const at::Tensor& residual);

}  // namespace trainmark::train
