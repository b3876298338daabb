#include <algorithm>

#include "cuda/linear/column_sum_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

// A block has 32 vectors of columns under it and goes down its part of the rows, eight rows at a
// time; a second kernel adds the parts, always in the same order.

namespace trainmark::train {
namespace {

constexpr int lanes = 32;
constexpr int block_rows = 8;      // of a block, side by side
constexpr int most_blocks = 1056;  // eight for each processor of an H200

template <class T>
__global__ void __launch_bounds__(lanes* block_rows)
    part_kernel(std::int64_t rows, int columns, const T* x, float* workspace) {
  constexpr int size = Vector<T>::size;
  const int vectors = columns / size;
  const int vector = static_cast<int>(blockIdx.x) * lanes + static_cast<int>(threadIdx.x);
  float sums[size] = {};
  if (vector < vectors) {
    const auto* data = reinterpret_cast<const Vector<T>*>(x);
    for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * block_rows + threadIdx.y;
         row < rows; row += static_cast<std::int64_t>(gridDim.y) * block_rows) {
      const Vector<T> values = data[row * vectors + vector];
#pragma unroll
      for (int i = 0; i < size; ++i) sums[i] += to_float(values.values[i]);
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
  const int size = problem.type == ElementType::float32 ? 4 : 8;
  const int across = (problem.columns / size + lanes - 1) / lanes;
  const std::int64_t most = std::clamp(most_blocks / across, 1, 128);
  return {across,
          static_cast<int>(std::clamp<std::int64_t>(problem.rows / (4 * block_rows), 1, most))};
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
           dim3(lanes, block_rows), 0, problem.stream>>>(problem.rows, problem.columns,
                                                         static_cast<const T*>(x), workspace);
    check_launch("column_sum, parts");
    finish_kernel<T><<<(problem.columns + 127) / 128, 128, 0, problem.stream>>>(
        layout.parts, problem.columns, workspace, static_cast<T*>(sums));
    check_launch("column_sum, finish");
  });
}

}  // namespace trainmark::train
