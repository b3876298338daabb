#include "cuda/cross_entropy/cross_entropy_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/reduce.cuh"
#include "cuda/support/vector.cuh"

// A block takes a row.

namespace trainmark::train {
namespace {

constexpr int warps = 16;
constexpr int threads = 32 * warps;

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
};

template <class T>
__global__ void __launch_bounds__(threads)
    forward_kernel(const CrossEntropyProblem problem, const CrossEntropyForward arguments) {
  constexpr int size = Vector<T>::size;
  const std::int64_t row = blockIdx.x;
  const T* logits = static_cast<const T*>(arguments.logits) + row * problem.width;
  ExponentialSum exponentials;
  float total = 0;
  for (int first = static_cast<int>(threadIdx.x) * size; first < problem.classes;
       first += threads * size) {
    const Vector<T> values = *reinterpret_cast<const Vector<T>*>(logits + first);
#pragma unroll
    for (int i = 0; i < size; ++i) {
      if (first + i >= problem.classes) break;
      const float value = to_float(values.values[i]);
      exponentials.add(value);
      total += value;
    }
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    const float largest = __shfl_xor_sync(all_lanes, exponentials.largest, distance);
    const float sum = __shfl_xor_sync(all_lanes, exponentials.sum, distance);
    exponentials.add(largest, sum);
  }
  __shared__ float largest[warps];
  __shared__ float sums[warps];
  __shared__ float shared[warps];
  if (threadIdx.x % 32 == 0) {
    largest[threadIdx.x / 32] = exponentials.largest;
    sums[threadIdx.x / 32] = exponentials.sum;
  }
  total = block_sum<warps>(total, shared);  // waits for all warps
  if (threadIdx.x != 0) return;
  ExponentialSum all;
  for (int i = 0; i < warps; ++i) all.add(largest[i], sums[i]);
  const float logarithm = all.largest + logf(all.sum);
  arguments.logarithms[row] = logarithm;
  const std::int64_t label = arguments.labels[row];
  if (label == problem.ignored) {
    arguments.losses[row] = 0;
    return;
  }
  const float mean = total / static_cast<float>(problem.classes);
  arguments.losses[row] =
      logarithm - (1 - problem.smoothing) * to_float(logits[label]) - problem.smoothing * mean;
}

/// One block: rows are few.
__global__ void __launch_bounds__(threads)
    mean_kernel(const CrossEntropyProblem problem, const CrossEntropyForward arguments) {
  float sum = 0;
  float count = 0;
  for (std::int64_t row = threadIdx.x; row < problem.rows; row += threads) {
    sum += arguments.losses[row];
    count += arguments.labels[row] != problem.ignored ? 1 : 0;
  }
  __shared__ float shared[warps];
  sum = block_sum<warps>(sum, shared);
  count = block_sum<warps>(count, shared);
  if (threadIdx.x != 0) return;
  *arguments.mean = sum / count;
  *arguments.share = 1 / count;
}

template <class T>
__global__ void __launch_bounds__(threads)
    backward_kernel(const CrossEntropyProblem problem, const CrossEntropyBackward arguments) {
  constexpr int size = Vector<T>::size;
  const std::int64_t row = blockIdx.x;
  const T* logits = static_cast<const T*>(arguments.logits) + row * problem.width;
  T* dlogits = static_cast<T*>(arguments.dlogits) + row * problem.width;
  const auto label = static_cast<int>(arguments.labels[row]);
  const bool counts = arguments.labels[row] != problem.ignored;
  const float factor = counts ? *arguments.gradient * *arguments.share : 0;
  const float logarithm = arguments.logarithms[row];
  const float spread = problem.smoothing / static_cast<float>(problem.classes);
  for (int first = static_cast<int>(threadIdx.x) * size; first < problem.width;
       first += threads * size) {
    const Vector<T> values = *reinterpret_cast<const Vector<T>*>(logits + first);
    Vector<T> gradients;
#pragma unroll
    for (int i = 0; i < size; ++i) {
      const int column = first + i;
      float difference = __expf(to_float(values.values[i]) - logarithm) - spread;
      if (column == label) difference -= 1 - problem.smoothing;
      gradients.values[i] = from_float<T>(column < problem.classes ? factor * difference : 0);
    }
    *reinterpret_cast<Vector<T>*>(dlogits + first) = gradients;
  }
}

}  // namespace

void cross_entropy_forward(const CrossEntropyProblem& problem,
                           const CrossEntropyForward& arguments) {
  with_type(problem.type, [&](auto element) {
    forward_kernel<decltype(element)>
        <<<static_cast<unsigned>(problem.rows), threads, 0, problem.stream>>>(problem, arguments);
    check_launch("cross_entropy forward");
  });
  mean_kernel<<<1, threads, 0, problem.stream>>>(problem, arguments);
  check_launch("cross_entropy forward, mean");
}

void cross_entropy_backward(const CrossEntropyProblem& problem,
                            const CrossEntropyBackward& arguments) {
  with_type(problem.type, [&](auto element) {
    backward_kernel<decltype(element)>
        <<<static_cast<unsigned>(problem.rows), threads, 0, problem.stream>>>(problem, arguments);
    check_launch("cross_entropy backward");
  });
}

}  // namespace trainmark::train
