#pragma once

#include "cuda/support/reduce.cuh"

namespace trainmark::train {

/// A sum of exponentials, kept as the largest exponent and the sum relative to it.
struct ExponentialSum {
  float largest = -INFINITY;
  float sum = 0;

  __device__ void add(float exponent) {
    if (exponent > largest) {
      sum = sum * __expf(largest - exponent) + 1;
      largest = exponent;
    } else {
      sum += __expf(exponent - largest);
    }
  }

  __device__ void add(float other_largest, float other_sum) {
    const float both = fmaxf(largest, other_largest);
    if (both == -INFINITY) return;
    sum = sum * __expf(largest - both) + other_sum * __expf(other_largest - both);
    largest = both;
  }

  __device__ float logarithm() const { return largest + logf(sum); }
};

/// The logarithm of the sums of all threads of a block of 32 × `warps`, always in the same order.
/// The first thread has it.
template <int warps>
__device__ float logarithm_of_block(ExponentialSum exponentials) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    const float largest = __shfl_xor_sync(all_lanes, exponentials.largest, distance);
    const float sum = __shfl_xor_sync(all_lanes, exponentials.sum, distance);
    exponentials.add(largest, sum);
  }
  __shared__ float largest[warps];
  __shared__ float sums[warps];
  if (threadIdx.x % 32 == 0) {
    largest[threadIdx.x / 32] = exponentials.largest;
    sums[threadIdx.x / 32] = exponentials.sum;
  }
  __syncthreads();
  if (threadIdx.x != 0) return 0;
  ExponentialSum all;
  for (int i = 0; i < warps; ++i) all.add(largest[i], sums[i]);
  return all.logarithm();
}

}  // namespace trainmark::train
