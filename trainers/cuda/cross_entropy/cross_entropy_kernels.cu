#include "cuda/cross_entropy/cross_entropy_kernels.h"
#include "cuda/support/exponential_sum.cuh"
#include "cuda/support/launch.h"
#include "cuda/support/reduce.cuh"
#include "cuda/support/vector.cuh"

// A block takes a row; of planes, a thread takes a pixel.

namespace trainmark::train {
namespace {

constexpr int warps = 16;
constexpr int threads = 32 * warps;

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
  __shared__ float shared[warps];
  total = block_sum<warps>(total, shared);
  const float logarithm = logarithm_of_block<warps>(exponentials);
  if (threadIdx.x != 0) return;
  arguments.logarithms[row] = logarithm;
  const std::int64_t label = arguments.labels[row];
  arguments.counts[row] = label == problem.ignored ? 0 : 1;
  if (label == problem.ignored) {
    arguments.losses[row] = 0;
    return;
  }
  const float mean = total / static_cast<float>(problem.classes);
  arguments.losses[row] =
      logarithm - (1 - problem.smoothing) * to_float(logits[label]) - problem.smoothing * mean;
}

template <class T>
__global__ void __launch_bounds__(threads)
    forward_planes(const CrossEntropyProblem problem, const CrossEntropyForward arguments) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  float loss = 0;
  float count = 0;
  if (row < problem.rows) {
    const std::int64_t image = row / problem.pixels;
    const T* logits = static_cast<const T*>(arguments.logits) +
                      image * problem.classes * problem.pixels + (row - image * problem.pixels);
    ExponentialSum exponentials;
    float total = 0;
#pragma unroll 4
    for (int i = 0; i < problem.classes; ++i) {
      const float value = to_float(logits[i * problem.pixels]);
      exponentials.add(value);
      total += value;
    }
    const float logarithm = exponentials.logarithm();
    arguments.logarithms[row] = logarithm;
    const std::int64_t label = arguments.labels[row];
    if (label != problem.ignored) {
      count = 1;
      loss = logarithm - (1 - problem.smoothing) * to_float(logits[label * problem.pixels]) -
             problem.smoothing * total / static_cast<float>(problem.classes);
    }
  }
  __shared__ float shared[warps];
  loss = block_sum<warps>(loss, shared);
  count = block_sum<warps>(count, shared);
  if (threadIdx.x != 0) return;
  arguments.losses[blockIdx.x] = loss;
  arguments.counts[blockIdx.x] = count;
}

/// One block: parts are few.
__global__ void __launch_bounds__(threads)
    mean_kernel(std::int64_t parts, const CrossEntropyForward arguments) {
  float sum = 0;
  float count = 0;
  for (std::int64_t part = threadIdx.x; part < parts; part += threads) {
    sum += arguments.losses[part];
    count += arguments.counts[part];
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

template <class T>
__global__ void __launch_bounds__(threads)
    backward_planes(const CrossEntropyProblem problem, const CrossEntropyBackward arguments) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (row >= problem.rows) return;
  const std::int64_t image = row / problem.pixels;
  const std::int64_t begin =
      image * problem.classes * problem.pixels + (row - image * problem.pixels);
  const T* logits = static_cast<const T*>(arguments.logits) + begin;
  T* dlogits = static_cast<T*>(arguments.dlogits) + begin;
  const std::int64_t label = arguments.labels[row];
  const float factor = label != problem.ignored ? *arguments.gradient * *arguments.share : 0;
  const float logarithm = arguments.logarithms[row];
  const float spread = problem.smoothing / static_cast<float>(problem.classes);
#pragma unroll 4
  for (int i = 0; i < problem.classes; ++i) {
    float difference = __expf(to_float(logits[i * problem.pixels]) - logarithm) - spread;
    if (i == label) difference -= 1 - problem.smoothing;
    dlogits[i * problem.pixels] = from_float<T>(factor * difference);
  }
}

/// Of planes.
std::int64_t blocks_of_pixels(const CrossEntropyProblem& problem) {
  return (problem.rows + threads - 1) / threads;
}

}  // namespace

std::int64_t cross_entropy_parts(const CrossEntropyProblem& problem) {
  return problem.pixels > 0 ? blocks_of_pixels(problem) : problem.rows;
}

void cross_entropy_forward(const CrossEntropyProblem& problem,
                           const CrossEntropyForward& arguments) {
  const std::int64_t parts = cross_entropy_parts(problem);
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const auto kernel = problem.pixels > 0 ? forward_planes<T> : forward_kernel<T>;
    kernel<<<static_cast<unsigned>(parts), threads, 0, problem.stream>>>(problem, arguments);
    check_launch("cross_entropy forward");
  });
  mean_kernel<<<1, threads, 0, problem.stream>>>(parts, arguments);
  check_launch("cross_entropy forward, mean");
}

void cross_entropy_backward(const CrossEntropyProblem& problem,
                            const CrossEntropyBackward& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const auto kernel = problem.pixels > 0 ? backward_planes<T> : backward_kernel<T>;
    kernel<<<static_cast<unsigned>(cross_entropy_parts(problem)), threads, 0, problem.stream>>>(
        problem, arguments);
    check_launch("cross_entropy backward");
  });
}

}  // namespace trainmark::train
