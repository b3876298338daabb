#pragma once

#include "cuda/support/launch.h"
#include "cuda/support/parts.h"
#include "cuda/support/vector.cuh"

namespace trainmark::train {

constexpr int part_lanes = 32;

__device__ inline void store_sum(const ColumnSums& sums, int column, float value) {
  switch (sums.type) {
    case ElementType::float32:
      static_cast<float*>(sums.to)[column] = value;
      return;
    case ElementType::float16:
      static_cast<__half*>(sums.to)[column] = from_float<__half>(value);
      return;
    case ElementType::bfloat16:
      static_cast<__nv_bfloat16*>(sums.to)[column] = from_float<__nv_bfloat16>(value);
      return;
  }
}

/// 32 threads share the parts of a column.
template <int count>
__global__ void __launch_bounds__(part_lanes* part_lanes)
    sum_parts_kernel(const PartSums<count> arguments) {
  const int all = count * arguments.columns;
  const int column = static_cast<int>(blockIdx.x * part_lanes + threadIdx.x);
  float sum = 0;
  if (column < all) {
    // Unrolled, so that several parts are on their way at a time.
#pragma unroll 8
    for (int part = static_cast<int>(threadIdx.y); part < arguments.parts; part += part_lanes) {
      sum += arguments.workspace[static_cast<std::int64_t>(part) * all + column];
    }
  }
  __shared__ float sums[part_lanes][part_lanes + 1];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= all) return;
#pragma unroll
  for (int i = 1; i < part_lanes; ++i) sum += sums[i][threadIdx.x];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (column / arguments.columns == i && arguments.sums[i].to != nullptr) {
      store_sum(arguments.sums[i], column - i * arguments.columns, sum);
    }
  }
}

template <int count>
void sum_parts(const PartSums<count>& arguments, const char* name, cudaStream_t stream) {
  const int blocks = (count * arguments.columns + part_lanes - 1) / part_lanes;
  sum_parts_kernel<count>
      <<<static_cast<unsigned>(blocks), dim3(part_lanes, part_lanes), 0, stream>>>(arguments);
  check_launch(name);
}

}  // namespace trainmark::train
