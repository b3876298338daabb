#include "cuda/linear/linear_kernels.h"

#include <algorithm>

#include "cuda/support/launch.h"
#include "cuda/support/parts.cuh"
#include "cuda/support/vector.cuh"

// Backward, a block has 32 vectors of columns under it and goes down its part of the rows, eight
// rows at a time; a second kernel adds the parts, always in the same order.

namespace trainmark::train {
namespace {

constexpr int lanes = 32;
constexpr int block_rows = 8;      // of a block, side by side
constexpr int most_blocks = 1056;  // eight for each processor of an H200
constexpr int flat_threads = 256;

/// The normal distribution: its density and the share below x. By Abramowitz and Stegun's formula
/// 7.1.26, which is off by 1.5e-7 at most: a thousandth of what half precision rounds away at 1.
struct Normal {
  __device__ explicit Normal(float x) {
    const float z = fabsf(x) * 0.70710678F;
    const float falling = __expf(-z * z);
    const float t = __fdividef(1.0F, 1 + 0.3275911F * z);
    const float polynomial =
        t * (0.254829592F +
             t * (-0.284496736F + t * (1.421413741F + t * (-1.453152027F + t * 1.061405429F))));
    const float tail = 0.5F * polynomial * falling;
    share = x < 0 ? tail : 1 - tail;
    density = 0.39894228F * falling;
  }

  float share;
  float density;
};

template <class T>
__global__ void __launch_bounds__(flat_threads)
    gelu_kernel(std::int64_t vectors, const Vector<T>* x, Vector<T>* y) {
  const std::int64_t vector = static_cast<std::int64_t>(blockIdx.x) * flat_threads + threadIdx.x;
  if (vector >= vectors) return;
  Vector<T> values = x[vector];
#pragma unroll
  for (T& value : values.values) {
    const float number = to_float(value);
    value = from_float<T>(number * Normal(number).share);
  }
  y[vector] = values;
}

template <LinearActivation activation>
__device__ float slope(float saved) {
  if constexpr (activation == LinearActivation::relu) {
    return saved > 0 ? 1 : 0;
  } else {
    const Normal normal(saved);
    return normal.share + saved * normal.density;
  }
}

template <class T, LinearActivation activation>
__global__ void __launch_bounds__(lanes* block_rows)
    backward_kernel(std::int64_t rows, int columns, LinearBackward arguments) {
  constexpr int size = Vector<T>::size;
  const int vectors = columns / size;
  const int vector = static_cast<int>(blockIdx.x) * lanes + static_cast<int>(threadIdx.x);
  const auto* dy = static_cast<const Vector<T>*>(arguments.dy);
  const auto* saved = static_cast<const Vector<T>*>(arguments.saved);
  float sums[size] = {};
  if (vector < vectors) {
#pragma unroll 2
    for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * block_rows + threadIdx.y;
         row < rows; row += static_cast<std::int64_t>(gridDim.y) * block_rows) {
      Vector<T> gradient = dy[row * vectors + vector];
      if constexpr (activation != LinearActivation::none) {
        const Vector<T> inputs = saved[row * vectors + vector];
#pragma unroll
        for (int i = 0; i < size; ++i) {
          gradient.values[i] = from_float<T>(to_float(gradient.values[i]) *
                                             slope<activation>(to_float(inputs.values[i])));
        }
        static_cast<Vector<T>*>(arguments.dx)[row * vectors + vector] = gradient;
      }
#pragma unroll
      for (int i = 0; i < size; ++i) sums[i] += to_float(gradient.values[i]);
    }
  }
  __shared__ float shared[block_rows][lanes * size + 1];
#pragma unroll
  for (int i = 0; i < size; ++i) shared[threadIdx.y][threadIdx.x * size + i] = sums[i];
  __syncthreads();
  const int thread = static_cast<int>(threadIdx.y * lanes + threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * lanes * size;
  for (int i = thread; i < lanes * size && first + i < columns; i += lanes * block_rows) {
    float sum = 0;
#pragma unroll
    for (int row = 0; row < block_rows; ++row) sum += shared[row][i];
    arguments.workspace[static_cast<std::int64_t>(blockIdx.y) * columns + first + i] = sum;
  }
}

struct Layout {
  int across;
  int parts;
};

Layout layout_of(const LinearProblem& problem) {
  const int size = problem.type == ElementType::float32 ? 4 : 8;
  const int across = (problem.columns / size + lanes - 1) / lanes;
  const std::int64_t most = std::clamp(most_blocks / across, 1, 128);
  return {across,
          static_cast<int>(std::clamp<std::int64_t>(problem.rows / (4 * block_rows), 1, most))};
}

template <class T>
auto backward_kernel_of(LinearActivation activation) {
  switch (activation) {
    case LinearActivation::relu:
      return backward_kernel<T, LinearActivation::relu>;
    case LinearActivation::gelu:
      return backward_kernel<T, LinearActivation::gelu>;
    case LinearActivation::none:
      break;
  }
  return backward_kernel<T, LinearActivation::none>;
}

}  // namespace

void gelu_forward(const LinearProblem& problem, const void* x, void* y) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const std::int64_t vectors = problem.rows * (problem.columns / Vector<T>::size);
    gelu_kernel<T>
        <<<static_cast<unsigned>((vectors + flat_threads - 1) / flat_threads), flat_threads, 0,
           problem.stream>>>(vectors, static_cast<const Vector<T>*>(x), static_cast<Vector<T>*>(y));
    check_launch("gelu forward");
  });
}

std::size_t linear_workspace_floats(const LinearProblem& problem) {
  return static_cast<std::size_t>(layout_of(problem).parts) *
         static_cast<std::size_t>(problem.columns);
}

void linear_backward(const LinearProblem& problem, const LinearBackward& arguments) {
  const Layout layout = layout_of(problem);
  with_type(problem.type, [&](auto element) {
    const auto kernel = backward_kernel_of<decltype(element)>(arguments.activation);
    kernel<<<dim3(static_cast<unsigned>(layout.across), static_cast<unsigned>(layout.parts)),
             dim3(lanes, block_rows), 0, problem.stream>>>(problem.rows, problem.columns,
                                                           arguments);
    check_launch("linear backward");
  });
  sum_parts<1>(
      {arguments.workspace, layout.parts, problem.columns, {{arguments.dbias, problem.type}}},
      "linear backward, sums", problem.stream);
}

}  // namespace trainmark::train
