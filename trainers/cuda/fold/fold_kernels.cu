#include "cuda/fold/fold_kernels.h"

#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

namespace trainmark::train {
namespace {

constexpr int threads = 128;

/// A thread makes a pixel of the result; a block, a part of a line of it (x) of an image (z).
template <class From, class To>
__global__ void __launch_bounds__(threads)
    fold_kernel(const FoldProblem problem, const From* x, Vector<To>* y) {
  const int column = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.y);
  const int image = static_cast<int>(blockIdx.z);
  const int lines = problem.before + problem.height / 2 + problem.after;
  const int columns = problem.before + problem.width / 2 + problem.after;
  if (column >= columns) return;
  const int from_row = 2 * (row - problem.before);
  const int from_column = 2 * (column - problem.before);
  const bool inside =
      from_row >= 0 && from_row < problem.height && from_column >= 0 && from_column < problem.width;
  const From* const corner = x + image * problem.strides[0] + from_row * problem.strides[2] +
                             from_column * problem.strides[3];
  constexpr int size = Vector<To>::size;
  const int vectors = problem.folded / size;
  Vector<To>* const pixel =
      y + ((static_cast<std::int64_t>(image) * lines + row) * columns + column) * vectors;
  for (int vector = 0; vector < vectors; ++vector) {
    Vector<To> result;
#pragma unroll
    for (int i = 0; i < size; ++i) {
      const int folded = vector * size + i;
      const int place = folded / problem.channels;  // of the four pixels
      float value = 0;
      if (inside && place < 4) {
        value =
            to_float(corner[(folded - place * problem.channels) * problem.strides[1] +
                            (place >> 1) * problem.strides[2] + (place & 1) * problem.strides[3]]);
      }
      result.values[i] = from_float<To>(value);
    }
    pixel[vector] = result;
  }
}

}  // namespace

void fold(const FoldProblem& problem, const void* x, void* y) {
  const int lines = problem.before + problem.height / 2 + problem.after;
  const int columns = problem.before + problem.width / 2 + problem.after;
  const dim3 grid(static_cast<unsigned>((columns + threads - 1) / threads),
                  static_cast<unsigned>(lines), static_cast<unsigned>(problem.images));
  with_type(problem.from, [&](auto from) {
    with_type(problem.to, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      fold_kernel<From, To><<<grid, threads, 0, problem.stream>>>(
          problem, static_cast<const From*>(x), static_cast<Vector<To>*>(y));
      check_launch("fold");
    });
  });
}

}  // namespace trainmark::train
