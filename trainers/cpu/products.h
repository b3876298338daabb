#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// left rightᵀ of two matrices by oneDNN, in fp32.
at::Tensor onednn_product(const at::Tensor& left, const at::Tensor& right);

/// x weightᵀ + bias (may be undefined) by oneDNN, in fp32.
at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

/// LibTorch leaves products in fp32 to MKL, which uses half of what an AMD core can do. A trial of
/// both.
bool are_onednn_products_faster();

}  // namespace trainmark::train
