#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "base/generator.h"

namespace trainmark::train {

/// New tensors of the generator's numbers, in row-major order of the elements, made on the host and
/// then moved to `device`. `first` is the index of the first element: a batch that begins in the
/// middle of the data set begins there.
at::Tensor symmetric_tensor(const Generator& generator, at::IntArrayRef shape, float bound,
                            std::int64_t first = 0, at::Device device = at::kCPU);
at::Tensor integer_tensor(const Generator& generator, at::IntArrayRef shape, std::int64_t n,
                          std::int64_t first = 0, at::Device device = at::kCPU);

}  // namespace trainmark::train
