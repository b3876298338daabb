#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/support/element_type.h"

// The sum of each column of a matrix, in floats: the gradient of a linear layer's bias.

namespace trainmark::train {

struct ColumnSumProblem {
  ElementType type = ElementType::float32;
  std::int64_t rows = 0;
  int columns = 0;  // a multiple of what 16 bytes hold
  cudaStream_t stream = nullptr;
};

std::size_t column_sum_workspace_floats(const ColumnSumProblem& problem);
/// `sums` has the type of `x`.
void column_sum(const ColumnSumProblem& problem, const void* x, float* workspace, void* sums);

}  // namespace trainmark::train
