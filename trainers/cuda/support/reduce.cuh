#pragma once

namespace trainmark::train {

inline constexpr unsigned all_lanes = 0xffffffffU;

__device__ inline float warp_sum(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(all_lanes, value, distance);
  }
  return value;
}

/// Of a block of 32 × `warps` threads; every thread gets it. `shared` has room for a number a warp.
template <int warps>
__device__ float block_sum(float value, float* shared) {
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < warps; ++i) sum += shared[i];
  __syncthreads();
  return sum;
}

}  // namespace trainmark::train
