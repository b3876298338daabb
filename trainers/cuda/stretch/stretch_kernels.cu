#include "cuda/stretch/stretch_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

namespace trainmark::train {
namespace {

constexpr int threads = 256;

/// One direction: `size` pixels become `to` ones.
struct Axis {
  __device__ Axis(int size, int to)
      : size(size), to(to), scale(static_cast<float>(size) / static_cast<float>(to)) {}

  /// How much of pixel `from` is in pixel `place` of the result.
  __device__ float share(int from, int place) const {
    const float source = fmaxf((static_cast<float>(place) + 0.5F) * scale - 0.5F, 0.0F);
    const int first = min(static_cast<int>(source), size - 1);
    const int second = min(first + 1, size - 1);
    const float rest = source - static_cast<float>(first);
    return (from == first ? 1 - rest : 0) + (from == second ? rest : 0);
  }

  /// The first and the last pixel of the result that may have a share of `from`.
  __device__ int begin(int from) const {
    return max(static_cast<int>(floorf((static_cast<float>(from) - 0.5F) / scale - 0.5F)), 0);
  }
  __device__ int last(int from) const {
    return min(static_cast<int>(ceilf((static_cast<float>(from) + 1.5F) / scale - 0.5F)), to - 1);
  }

  int size;
  int to;
  float scale;
};

// A block makes a row of a plane: first it adds the rows of the result that have a share of it,
// column by column, then the columns.
template <class T>
__global__ void __launch_bounds__(threads)
    planes_kernel(StretchProblem problem, const T* dy, T* dx) {
  extern __shared__ float columns[];
  const Axis down(problem.height, problem.to_height);
  const Axis across(problem.width, problem.to_width);
  const int row = static_cast<int>(blockIdx.x) % problem.height;
  const std::int64_t plane = static_cast<int>(blockIdx.x) / problem.height;
  const T* const from = dy + plane * problem.to_height * problem.to_width;
  const int begin = down.begin(row);
  const int last = down.last(row);
  for (int column = static_cast<int>(threadIdx.x); column < problem.to_width; column += threads) {
    float sum = 0;
#pragma unroll 4
    for (int i = begin; i <= last; ++i) {
      sum += down.share(row, i) *
             to_float(from[static_cast<std::int64_t>(i) * problem.to_width + column]);
    }
    columns[column] = sum;
  }
  __syncthreads();
  T* const to = dx + (plane * problem.height + row) * problem.width;
  for (int column = static_cast<int>(threadIdx.x); column < problem.width; column += threads) {
    float sum = 0;
    for (int i = across.begin(column); i <= across.last(column); ++i) {
      sum += across.share(column, i) * columns[i];
    }
    to[column] = from_float<T>(sum);
  }
}

// A thread makes 16 bytes: neighbouring channels of one pixel.
template <class T>
__global__ void __launch_bounds__(threads)
    pixels_kernel(StretchProblem problem, int lanes, const Vector<T>* dy, Vector<T>* dx) {
  const int index = static_cast<int>(blockIdx.y) * threads + static_cast<int>(threadIdx.x);
  const int lane = index % lanes;
  const int column = index / lanes;
  if (column >= problem.width) return;
  const Axis down(problem.height, problem.to_height);
  const Axis across(problem.width, problem.to_width);
  const int row = static_cast<int>(blockIdx.x) % problem.height;
  const std::int64_t image = static_cast<int>(blockIdx.x) / problem.height;
  const int begin = across.begin(column);
  const int last = across.last(column);
  float sums[Vector<T>::size] = {};
  for (int i = down.begin(row); i <= down.last(row); ++i) {
    const float line_share = down.share(row, i);
    const Vector<T>* const line =
        dy + (image * problem.to_height + i) * problem.to_width * lanes + lane;
#pragma unroll 4
    for (int j = begin; j <= last; ++j) {
      const float share = line_share * across.share(column, j);
      const Vector<T> part = line[static_cast<std::int64_t>(j) * lanes];
#pragma unroll
      for (int k = 0; k < Vector<T>::size; ++k) sums[k] += share * to_float(part.values[k]);
    }
  }
  Vector<T> result;
#pragma unroll
  for (int k = 0; k < Vector<T>::size; ++k) result.values[k] = from_float<T>(sums[k]);
  dx[((image * problem.height + row) * problem.width + column) * lanes + lane] = result;
}

}  // namespace

void stretch_backward_planes(const StretchProblem& problem, std::int64_t planes, const void* dy,
                             void* dx) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    planes_kernel<T>
        <<<static_cast<unsigned>(planes * problem.height), threads,
           static_cast<std::size_t>(problem.to_width) * sizeof(float), problem.stream>>>(
            problem, static_cast<const T*>(dy), static_cast<T*>(dx));
    check_launch("stretch backward planes");
  });
}

void stretch_backward_pixels(const StretchProblem& problem, int images, int channels,
                             const void* dy, void* dx) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const int lanes = channels / Vector<T>::size;
    const dim3 grid(static_cast<unsigned>(images * problem.height),
                    static_cast<unsigned>((problem.width * lanes + threads - 1) / threads));
    pixels_kernel<T><<<grid, threads, 0, problem.stream>>>(
        problem, lanes, static_cast<const Vector<T>*>(dy), static_cast<Vector<T>*>(dx));
    check_launch("stretch backward pixels");
  });
}

}  // namespace trainmark::train
