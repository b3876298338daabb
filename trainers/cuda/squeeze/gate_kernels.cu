#include <algorithm>

#include "cuda/squeeze/gate_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

namespace trainmark::train {
namespace {

constexpr int threads = 256;
constexpr int lanes = 32;                    // vectors of channels under a block
constexpr int block_rows = threads / lanes;  // pixels under a block at a time
constexpr int wanted_blocks = 2112;          // sixteen for each processor of an H200

/// Calls `body(place, channel place)` for every vector of the images, where the second says where
/// the vector's channels of its image begin in a tensor [images, channels].
template <class Body>
__device__ void for_each_vector(std::int64_t vectors, int pixels, int row_vectors, Body body) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threads;
  for (std::int64_t place = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
       place < vectors; place += stride) {
    const std::int64_t row = place / row_vectors;
    body(place, row / pixels * row_vectors + (place - row * row_vectors));
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    forward_kernel(std::int64_t vectors, int pixels, int row_vectors, const Vector<T>* y,
                   const Vector<T>* gate, const Vector<T>* residual, Vector<T>* z) {
  for_each_vector(vectors, pixels, row_vectors, [&](std::int64_t place, std::int64_t channel) {
    const Vector<T> ys = y[place];
    const Vector<T> gates = gate[channel];
    const Vector<T> residuals = residual[place];
    Vector<T> result;
#pragma unroll
    for (int i = 0; i < Vector<T>::size; ++i) {
      result.values[i] = from_float<T>(fmaxf(
          0, to_float(ys.values[i]) * to_float(gates.values[i]) + to_float(residuals.values[i])));
    }
    z[place] = result;
  });
}

template <class T>
__global__ void __launch_bounds__(threads)
    input_kernel(std::int64_t vectors, int pixels, int row_vectors, const Vector<T>* dsum,
                 const Vector<T>* gate, const Vector<T>* dmean, Vector<T>* dy) {
  for_each_vector(vectors, pixels, row_vectors, [&](std::int64_t place, std::int64_t channel) {
    const Vector<T> dsums = dsum[place];
    const Vector<T> gates = gate[channel];
    const Vector<T> dmeans = dmean[channel];
    Vector<T> result;
#pragma unroll
    for (int i = 0; i < Vector<T>::size; ++i) {
      result.values[i] = from_float<T>(to_float(dsums.values[i]) * to_float(gates.values[i]) +
                                       to_float(dmeans.values[i]));
    }
    dy[place] = result;
  });
}

/// Block (x, y, z): a set of channels, a part of the pixels, an image.
template <class T>
__global__ void __launch_bounds__(threads)
    backward_kernel(int pixels, int channels, const GateBackward arguments) {
  constexpr int size = Vector<T>::size;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const int row = static_cast<int>(threadIdx.x) / lanes;
  const int row_vectors = channels / size;
  const int vector = static_cast<int>(blockIdx.x) * lanes + lane;
  float sums[size] = {};
  if (vector < row_vectors) {
    const std::int64_t first =
        static_cast<std::int64_t>(blockIdx.z) * pixels * row_vectors + vector;
    for (int pixel = static_cast<int>(blockIdx.y) * block_rows + row; pixel < pixels;
         pixel += static_cast<int>(gridDim.y) * block_rows) {
      const std::int64_t place = first + static_cast<std::int64_t>(pixel) * row_vectors;
      const bool two = arguments.more_dz != nullptr;
      Vector<T> gradient = static_cast<const Vector<T>*>(arguments.dz)[place];
      Vector<T> more;
      if (two) more = static_cast<const Vector<T>*>(arguments.more_dz)[place];
      const Vector<T> zs = static_cast<const Vector<T>*>(arguments.z)[place];
      const Vector<T> ys = static_cast<const Vector<T>*>(arguments.y)[place];
#pragma unroll
      for (int i = 0; i < size; ++i) {
        if (two) {
          gradient.values[i] =
              from_float<T>(to_float(gradient.values[i]) + to_float(more.values[i]));
        }
        if (!(to_float(zs.values[i]) > 0)) gradient.values[i] = from_float<T>(0);
        sums[i] += to_float(gradient.values[i]) * to_float(ys.values[i]);
      }
      static_cast<Vector<T>*>(arguments.dresidual)[place] = gradient;
    }
  }
  __shared__ float shared[block_rows][lanes * size + 1];
#pragma unroll
  for (int i = 0; i < size; ++i) shared[row][lane * size + i] = sums[i];
  __syncthreads();
  const int first_channel = static_cast<int>(blockIdx.x) * lanes * size;
  float* dgate = arguments.dgate +
                 (static_cast<std::int64_t>(blockIdx.y) * gridDim.z + blockIdx.z) * channels +
                 first_channel;
  for (int i = static_cast<int>(threadIdx.x); i < lanes * size && first_channel + i < channels;
       i += threads) {
    float sum = 0;
#pragma unroll
    for (int part = 0; part < block_rows; ++part) sum += shared[part][i];
    dgate[i] = sum;
  }
}

int channel_sets(const GateProblem& problem) {
  const int size = problem.type == ElementType::float32 ? 4 : 8;
  return (problem.channels / size + lanes - 1) / lanes;
}

/// Launches a kernel that takes every vector once.
template <class T, class... Arguments>
void launch(const char* name, void (*kernel)(std::int64_t, int, int, Arguments...),
            const GateProblem& problem, Arguments... arguments) {
  const int row_vectors = problem.channels / Vector<T>::size;
  const std::int64_t vectors =
      static_cast<std::int64_t>(problem.images) * problem.pixels * row_vectors;
  const auto blocks =
      static_cast<unsigned>(std::min<std::int64_t>((vectors + threads - 1) / threads, 8448));
  kernel<<<blocks, threads, 0, problem.stream>>>(vectors, problem.pixels, row_vectors,
                                                 arguments...);
  check_launch(name);
}

}  // namespace

void gate_forward(const GateProblem& problem, const void* y, const void* gate, const void* residual,
                  void* z) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    launch<T>("squeeze forward", forward_kernel<T>, problem, static_cast<const Vector<T>*>(y),
              static_cast<const Vector<T>*>(gate), static_cast<const Vector<T>*>(residual),
              static_cast<Vector<T>*>(z));
  });
}

int gate_parts(const GateProblem& problem) {
  const int blocks = channel_sets(problem) * problem.images;
  const int most = std::max(1, problem.pixels / (4 * block_rows));
  return std::clamp(wanted_blocks / std::max(1, blocks), 1, most);
}

void gate_backward(const GateProblem& problem, const GateBackward& arguments) {
  with_type(problem.type, [&](auto element) {
    const dim3 grid(static_cast<unsigned>(channel_sets(problem)),
                    static_cast<unsigned>(gate_parts(problem)),
                    static_cast<unsigned>(problem.images));
    backward_kernel<decltype(element)>
        <<<grid, threads, 0, problem.stream>>>(problem.pixels, problem.channels, arguments);
    check_launch("squeeze backward");
  });
}

void gate_backward_input(const GateProblem& problem, const void* dsum, const void* gate,
                         const void* dmean, void* dy) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    launch<T>("squeeze backward, input", input_kernel<T>, problem,
              static_cast<const Vector<T>*>(dsum), static_cast<const Vector<T>*>(gate),
              static_cast<const Vector<T>*>(dmean), static_cast<Vector<T>*>(dy));
  });
}

}  // namespace trainmark::train
