#pragma once

#include <torch/nn/modules/linear.h>

#include "layers/context.h"

namespace trainmark::train {

/// LibTorch's layer, but the bias is added inside the matrix product: its own forward pass adds it
/// afterwards where the input has more than two dimensions.
struct LinearImpl : torch::nn::LinearImpl {
  LinearImpl(const TrainingContext& context, std::int64_t in, std::int64_t out);
  at::Tensor forward(const at::Tensor& x);

  /// Do the device's kernels do this layer?
  bool has_kernel() const;

  Kernels kernels;
};
TORCH_MODULE(Linear);

/// x weightᵀ + bias (may be undefined) over a vocabulary. On a GPU in half precision the rows of
/// the weight are padded to a multiple of eight, which its fast products need: the columns of the
/// result behind weight.size(0) mean nothing.
at::Tensor vocabulary_logits(const Kernels& kernels, const at::Tensor& x, const at::Tensor& weight,
                             const at::Tensor& bias = {});

}  // namespace trainmark::train
