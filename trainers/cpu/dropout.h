#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// Zeroes elements with the probability `rate` and divides the others by 1 - rate. LibTorch draws
/// one random number after the other, on one core. Here an element's number is a hash of its place
/// and of a seed, which is drawn from LibTorch's generator: all cores can find it, and the backward
/// pass finds it again.
at::Tensor cpu_dropout(const at::Tensor& x, double rate);

}  // namespace trainmark::train
