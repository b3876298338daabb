#include <algorithm>

#include "cuda/linear/column_sum_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

// A block has 32 vectors of columns under it and goes down its part of the rows, eight rows at a
// time; a second kernel adds the parts, always in the same order.

namespace trainmark::train {
namespace {

constexpr int kLanes = 32;
constexpr int kRows = 8;           // of a block, side by side
constexpr int kMostBlocks = 1056;  // eight for each processor of an H200

template <class T>
__global__ void __launch_bounds__(kLanes* kRows)
    part_kernel(std::int64_t rows, int columns, const T* x, float* workspace) {
  constexpr int kSize = Vector<T>::size;
  const int vectors = columns / kSize;
  const int vector = static_cast<int>(blockIdx.x) * kLanes + static_cast<int>(threadIdx.x);
  float sums[kSize] = {};
  if (vector < vectors) {
    const auto* data = reinterpret_cast<const Vector<T>*>(x);
    for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * kRows + threadIdx.y; row < rows;
         row += static_cast<std::int64_t>(gridDim.y) * kRows) {
      const Vector<T> values = data[row * vectors + vector];
#pragma unroll
      for (int i = 0; i < kSize; ++i) sums[i] += to_float(values.values[i]);
    }
  }
  __shared__ float shared[kRows][kLanes * kSize + 1];
#pragma unroll
  for (int i = 0; i < kSize; ++i) shared[threadIdx.y][threadIdx.x * kSize + i] = sums[i];
  __syncthreads();
  const int thread = static_cast<int>(threadIdx.y * kLanes + threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * kLanes * kSize;
  for (int i = thread; i < kLanes * kSize && first + i < columns; i += kLanes * kRows) {
    float sum = 0;
#pragma unroll
    for (int row = 0; row < kRows; ++row) sum += shared[row][i];
    workspace[static_cast<std::int64_t>(blockIdx.y) * columns + first + i] = sum;
  }
}

template <class T>
__global__ void finish_kernel(int parts, int columns, const float* workspace, T* sums) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= columns) return;
  float sum = 0;
  for (int part = 0; part < parts; ++part) {
    sum += workspace[static_cast<std::int64_t>(part) * columns + column];
  }
  sums[column] = from_float<T>(sum);
}

struct Layout {
  int across;
  int parts;
};

Layout layout_of(const ColumnSumProblem& problem) {
  const int size = problem.type == ElementType::Float ? 4 : 8;
  const int across = (problem.columns / size + kLanes - 1) / kLanes;
  const std::int64_t most = std::clamp(kMostBlocks / across, 1, 128);
  return {across, static_cast<int>(std::clamp<std::int64_t>(problem.rows / (4 * kRows), 1, most))};
}

}  // namespace

std::size_t column_sum_workspace_floats(const ColumnSumProblem& problem) {
  return static_cast<std::size_t>(layout_of(problem).parts) *
         static_cast<std::size_t>(problem.columns);
}

void column_sum(const ColumnSumProblem& problem, const void* x, float* workspace, void* sums) {
  const Layout layout = layout_of(problem);
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    part_kernel<T>
        <<<dim3(static_cast<unsigned>(layout.across), static_cast<unsigned>(layout.parts)),
           dim3(kLanes, kRows), 0, problem.stream>>>(problem.rows, problem.columns,
                                                     static_cast<const T*>(x), workspace);
    check_launch("column_sum, parts");
    finish_kernel<T><<<(problem.columns + 127) / 128, 128, 0, problem.stream>>>(
        layout.parts, problem.columns, workspace, static_cast<T*>(sums));
    check_launch("column_sum, finish");
  });
}

}  // namespace trainmark::train
