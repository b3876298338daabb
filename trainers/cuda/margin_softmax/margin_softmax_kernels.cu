#include "cuda/margin_softmax/margin_softmax_kernels.h"
#include "cuda/support/exponential_sum.cuh"
#include "cuda/support/launch.h"
#include "cuda/support/reduce.cuh"
#include "cuda/support/vector.cuh"

namespace trainmark::train {
namespace {

/// The cosine of the right class with the margin, and how fast it changes with the cosine.
struct Turned {
  __device__ Turned(float cosine, float margin) {
    constexpr float smallest_square = 1e-12F;  // keeps the root's slope finite
    const float cos_margin = cosf(margin);
    const float sin_margin = sinf(margin);
    const float square = 1 - cosine * cosine;  // of the sine
    const float sine = sqrtf(fmaxf(square, smallest_square));
    const bool beyond = cosine < -cos_margin;  // θ > π − margin
    value = beyond ? cosine - margin * sin_margin : cosine * cos_margin - sine * sin_margin;
    const float cotangent = square < smallest_square ? 0 : cosine / sine;
    slope = beyond ? 1 : cos_margin + cotangent * sin_margin;
  }

  float value;
  float slope;
};

constexpr int warps = 16;
constexpr int row_threads = 32 * warps;

/// A block takes an item.
template <class T>
__global__ void __launch_bounds__(row_threads)
    forward_kernel(const MarginProblem problem, const MarginForward arguments) {
  constexpr int size = Vector<T>::size;
  const int item = static_cast<int>(blockIdx.x);
  const T* products =
      static_cast<const T*>(arguments.products) + static_cast<std::int64_t>(item) * problem.pitch;
  const auto label = static_cast<int>(arguments.labels[item]);
  const Turned turned(to_float(products[label]) * arguments.inverses[label], problem.margin);
  ExponentialSum exponentials;
  for (int first = static_cast<int>(threadIdx.x) * size; first < problem.classes;
       first += row_threads * size) {
    const Vector<T> values = *reinterpret_cast<const Vector<T>*>(products + first);
#pragma unroll
    for (int i = 0; i < size; ++i) {
      const int column = first + i;
      if (column >= problem.classes) break;
      const float cosine =
          column == label ? turned.value : to_float(values.values[i]) * arguments.inverses[column];
      exponentials.add(problem.scale * cosine);
    }
  }
  const float logarithm = logarithm_of_block<warps>(exponentials);
  if (threadIdx.x != 0) return;
  arguments.logarithms[item] = logarithm;
  arguments.losses[item] = logarithm - problem.scale * turned.value;
}

constexpr int block_lanes = 32;  // of 16 bytes of neighbouring classes
constexpr int block_items = 8;   // threads that share the items of a class

/// A block takes some classes of all items: what belongs to a class is summed over the items.
template <class T>
__global__ void __launch_bounds__(block_lanes* block_items)
    backward_kernel(const MarginProblem problem, const MarginBackward arguments) {
  constexpr int size = Vector<T>::size;
  const int first =
      (static_cast<int>(blockIdx.x) * block_lanes + static_cast<int>(threadIdx.x)) * size;
  const float factor = *arguments.gradient / static_cast<float>(problem.items);
  float sums[size] = {};  // of product × its gradient
  if (first < problem.pitch) {
    float inverses[size];
#pragma unroll
    for (int i = 0; i < size; ++i) {
      inverses[i] = first + i < problem.classes ? arguments.inverses[first + i] : 0;
    }
    for (int item = static_cast<int>(threadIdx.y); item < problem.items; item += block_items) {
      const std::int64_t place = static_cast<std::int64_t>(item) * problem.pitch + first;
      const Vector<T> values =
          *reinterpret_cast<const Vector<T>*>(static_cast<const T*>(arguments.products) + place);
      const float logarithm = arguments.logarithms[item];
      const auto label = static_cast<int>(arguments.labels[item]);
      Vector<T> gradients;
#pragma unroll
      for (int i = 0; i < size; ++i) {
        const float product = to_float(values.values[i]);
        const float cosine = product * inverses[i];
        float gradient;
        if (first + i == label) {
          const Turned turned(cosine, problem.margin);
          gradient = (__expf(problem.scale * turned.value - logarithm) - 1) * turned.slope;
        } else {
          gradient = __expf(problem.scale * cosine - logarithm);
        }
        // Behind the classes there may be anything.
        const bool is_class = first + i < problem.classes;
        gradient = is_class ? gradient * factor * problem.scale * inverses[i] : 0;
        gradients.values[i] = from_float<T>(gradient);
        if (is_class) sums[i] += gradient * product;
      }
      *reinterpret_cast<Vector<T>*>(static_cast<T*>(arguments.dproducts) + place) = gradients;
    }
  }
  __shared__ float shared[block_items][block_lanes * size];
#pragma unroll
  for (int i = 0; i < size; ++i) shared[threadIdx.y][threadIdx.x * size + i] = sums[i];
  __syncthreads();
  const int thread = static_cast<int>(threadIdx.y) * block_lanes + static_cast<int>(threadIdx.x);
  if (thread >= block_lanes * size) return;
  const int column = static_cast<int>(blockIdx.x) * block_lanes * size + thread;
  if (column >= problem.classes) return;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < block_items; ++i) sum += shared[i][thread];
  // The cosine is product × inverse, and the inverse falls with the cube of itself × the class.
  const float inverse = arguments.inverses[column];
  arguments.by_class[column] = -inverse * inverse * sum;
}

constexpr int flat_threads = 256;

template <class T>
__global__ void __launch_bounds__(flat_threads) scaled_rows_kernel(const ScaledRows arguments) {
  constexpr int size = Vector<T>::size;
  const int lanes = arguments.width / size;
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * flat_threads + threadIdx.x;
  if (index >= arguments.rows * lanes) return;
  const float factor = arguments.factors[index / lanes];
  const Vector<T> from = static_cast<const Vector<T>*>(arguments.from)[index];
  Vector<T> to = static_cast<Vector<T>*>(arguments.to)[index];
#pragma unroll
  for (int i = 0; i < size; ++i) {
    to.values[i] = from_float<T>(to_float(to.values[i]) + factor * to_float(from.values[i]));
  }
  static_cast<Vector<T>*>(arguments.to)[index] = to;
}

}  // namespace

void margin_forward(const MarginProblem& problem, const MarginForward& arguments) {
  with_type(problem.type, [&](auto element) {
    forward_kernel<decltype(element)>
        <<<static_cast<unsigned>(problem.items), row_threads, 0, problem.stream>>>(problem,
                                                                                   arguments);
    check_launch("margin_softmax forward");
  });
}

void margin_backward(const MarginProblem& problem, const MarginBackward& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    constexpr int columns = block_lanes * Vector<T>::size;
    const auto blocks = static_cast<unsigned>((problem.pitch + columns - 1) / columns);
    backward_kernel<T>
        <<<blocks, dim3(block_lanes, block_items), 0, problem.stream>>>(problem, arguments);
    check_launch("margin_softmax backward");
  });
}

void add_scaled_rows(const ScaledRows& arguments) {
  with_type(arguments.type, [&](auto element) {
    using T = decltype(element);
    const std::int64_t vectors = arguments.rows * (arguments.width / Vector<T>::size);
    const auto blocks = static_cast<unsigned>((vectors + flat_threads - 1) / flat_threads);
    scaled_rows_kernel<T><<<blocks, flat_threads, 0, arguments.stream>>>(arguments);
    check_launch("margin_softmax, classes");
  });
}

}  // namespace trainmark::train
