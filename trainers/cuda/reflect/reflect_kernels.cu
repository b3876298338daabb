#include "cuda/reflect/reflect_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

// A thread makes 16 bytes of the result: neighbouring channels of one pixel. A block stays in a row
// of an image, so that a thread divides once, and in 32 bits.

namespace trainmark::train {
namespace {

constexpr int threads = 256;

/// Where a thread's vector lies in [images, height, width, vectors].
struct Pixel {
  __device__ explicit Pixel(int vectors) {
    const int place = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
    column = place / vectors;
    vector = place - column * vectors;
    row = static_cast<int>(blockIdx.y);
    image = static_cast<std::int64_t>(blockIdx.z);
  }

  int vector;
  int column;
  int row;
  std::int64_t image;
};

dim3 blocks_for(std::int64_t images, int height, int width, int vectors) {
  return {static_cast<unsigned>((width * vectors + threads - 1) / threads),
          static_cast<unsigned>(height), static_cast<unsigned>(images)};
}

/// The edge is a mirror that lies on the last pixel.
__device__ int mirrored(int place, int size) {
  if (place < 0) return -place;
  return place < size ? place : 2 * (size - 1) - place;
}

template <class T>
__global__ void __launch_bounds__(threads)
    forward_kernel(ReflectProblem problem, const Vector<T>* x, Vector<T>* y) {
  const int vectors = problem.channels / Vector<T>::size;
  const int padded_height = problem.height + 2 * problem.border;
  const int padded_width = problem.width + 2 * problem.border;
  const Pixel to(vectors);
  if (to.column >= padded_width) return;
  const int row = mirrored(to.row - problem.border, problem.height);
  const int column = mirrored(to.column - problem.border, problem.width);
  y[((to.image * padded_height + to.row) * padded_width + to.column) * vectors + to.vector] =
      x[((to.image * problem.height + row) * problem.width + column) * vectors + to.vector];
}

/// The places in the padded line that show the pixel at `place`: itself, and its mirror images.
struct Sources {
  __device__ Sources(int place, int size, int border) {
    places[count++] = place + border;
    if (place >= 1 && place <= border) places[count++] = border - place;
    const int from_end = size - 1 - place;
    if (from_end >= 1 && from_end <= border) places[count++] = size - 1 + from_end + border;
  }

  int places[3];
  int count = 0;
};

/// `more` is added, where there is any.
template <class T>
__global__ void __launch_bounds__(threads)
    backward_kernel(ReflectProblem problem, const Vector<T>* dy, const Vector<T>* more,
                    Vector<T>* dx) {
  constexpr int size = Vector<T>::size;
  const int vectors = problem.channels / size;
  const Pixel to(vectors);
  if (to.column >= problem.width) return;
  const std::int64_t index =
      ((to.image * problem.height + to.row) * problem.width + to.column) * vectors + to.vector;
  const std::int64_t padded_height = problem.height + 2 * problem.border;
  const std::int64_t padded_width = problem.width + 2 * problem.border;
  const Sources rows(to.row, problem.height, problem.border);
  const Sources columns(to.column, problem.width, problem.border);
  float sums[size] = {};
  for (int i = 0; i < rows.count; ++i) {
    for (int j = 0; j < columns.count; ++j) {
      const Vector<T> part =
          dy[((to.image * padded_height + rows.places[i]) * padded_width + columns.places[j]) *
                 vectors +
             to.vector];
#pragma unroll
      for (int k = 0; k < size; ++k) sums[k] += to_float(part.values[k]);
    }
  }
  if (more != nullptr) {
    const Vector<T> part = more[index];
#pragma unroll
    for (int k = 0; k < size; ++k) sums[k] += to_float(part.values[k]);
  }
  Vector<T> result;
#pragma unroll
  for (int k = 0; k < size; ++k) result.values[k] = from_float<T>(sums[k]);
  dx[index] = result;
}

template <class T>
void forward(const ReflectProblem& problem, const void* x, void* y) {
  const dim3 blocks =
      blocks_for(problem.images, problem.height + 2 * problem.border,
                 problem.width + 2 * problem.border, problem.channels / Vector<T>::size);
  forward_kernel<T><<<blocks, threads, 0, problem.stream>>>(
      problem, static_cast<const Vector<T>*>(x), static_cast<Vector<T>*>(y));
  check_launch("reflect forward");
}

template <class T>
void backward(const ReflectProblem& problem, const void* dy, const void* more, void* dx) {
  const dim3 blocks =
      blocks_for(problem.images, problem.height, problem.width, problem.channels / Vector<T>::size);
  backward_kernel<T><<<blocks, threads, 0, problem.stream>>>(
      problem, static_cast<const Vector<T>*>(dy), static_cast<const Vector<T>*>(more),
      static_cast<Vector<T>*>(dx));
  check_launch("reflect backward");
}

}  // namespace

void reflect_forward(const ReflectProblem& problem, const void* x, void* y) {
  with_type(problem.type, [&](auto element) { forward<decltype(element)>(problem, x, y); });
}

void reflect_backward(const ReflectProblem& problem, const void* dy, const void* more, void* dx) {
  with_type(problem.type,
            [&](auto element) { backward<decltype(element)>(problem, dy, more, dx); });
}

}  // namespace trainmark::train
